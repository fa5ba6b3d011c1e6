#!/bin/sh
# Sees to it that there is a Chromium for the browser tests. Root gets it from apt; without one the tests are skipped,
# but under CI that is a failure.
has_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null

has_browser && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "The browser tests need Chromium, and there is none: installing it with apt-get."
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium
  has_browser && exit 0
fi
echo "The browser tests need Chromium, and there is none: sudo apt-get install chromium" >&2
[ "${CI:-}" = true ] && exit 1
echo "They are skipped." >&2
