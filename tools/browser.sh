#!/bin/sh
# Installs Chromium for the browser tests, if possible: root gets it from apt. Without one the tests are skipped,
# but under CI that is a failure. The headless shell is preferred: it needs 40 % of the processor time.
has() { command -v "$1" >/dev/null; }
has_browser() { has chromium-headless-shell || has chromium || has chromium-browser || has google-chrome; }
install() { DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -qq -y --no-install-recommends "$1"; }

has chromium-headless-shell && exit 0
if [ "$(id -u)" = 0 ] && has apt-get; then
  if has_browser; then
    install chromium-headless-shell >/dev/null 2>&1 # the faster one, if it is available at once
  else
    echo "The browser tests need Chromium, and there is none: installing it with apt-get."
    apt-get update -qq && { install chromium-headless-shell || install chromium; }
  fi
fi
has_browser && exit 0
echo "The browser tests need Chromium, and there is none: sudo apt-get install chromium-headless-shell" >&2
[ "${CI:-}" = true ] && exit 1
echo "They are skipped." >&2
