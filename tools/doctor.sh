#!/bin/sh
# Names what is missing to build outplay, and the command that installs it. Prints nothing if nothing is missing.
# usage: tools/doctor.sh [PYTHON]; the compiler is $CXX or g++
python=${1:-python3}
compiler=${CXX:-g++}
missing=
packages=

lacks() { # Debian package, what
  packages="$packages $1"
  missing="$missing  - $2
"
}

python_lacks() {
  "$python" - <<'END'
import importlib.util, pathlib, sys, sysconfig
has = importlib.util.find_spec
if sys.version_info < (3, 11):
    print("version")
if not has("venv"):
    print("venv")
if not has("pip") and not has("ensurepip"):
    print("pip")
if not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists():
    print("headers")
END
}

if ! command -v "$python" >/dev/null; then
  lacks "python3 python3-dev python3-pip" "Python 3.11 or later: there is no $python"
fi
for what in $(command -v "$python" >/dev/null && python_lacks); do
  case $what in
  version) lacks python3 "Python 3.11 or later: $python is $("$python" -V 2>&1); PYTHON= names another one" ;;
  venv) lacks python3-venv "the module venv of $python" ;;
  pip) lacks python3-pip "pip for $python" ;;
  headers) lacks python3-dev "the headers of $python (Python.h)" ;;
  esac
done

if ! command -v "$compiler" >/dev/null; then
  lacks g++ "a C++20 compiler: there is no $compiler"
elif [ "$("$compiler" -dumpversion | cut -d. -f1)" -lt 12 ]; then
  lacks g++ "a C++20 compiler, such as g++ 12 or later: $compiler is $("$compiler" -dumpversion)"
fi
command -v git >/dev/null || lacks git "git"

[ -z "$missing" ] && exit 0
as_root=$([ "$(id -u)" = 0 ] || echo "sudo ")
printf 'outplay cannot be built yet. Missing:\n%s' "$missing" >&2
printf 'On Debian or Ubuntu this brings it:\n  %sapt-get install -y%s\n' "$as_root" "$packages" >&2
exit 1
