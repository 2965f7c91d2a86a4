"""Make .venv from requirements.lock, once, and again whenever the lock or the project file changes.

    python3 bootstrap.py

Needs only Python 3.11 to 3.14 with its own venv and pip. A .venv that is half made, broken or from another lock is
made anew; two calls at once wait for each other. `make` calls this before everything else.
"""

import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
PYTHON = os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
STAMP = os.path.join(VENV, "made-from")  # written last: a .venv without it is half made
# -I: this must be found from anywhere, not because this folder or PYTHONPATH happens to offer it. Found, not imported:
# a slip in attention_core.py is for the tests to report, and no reason to make .venv anew.
STARTS = [PYTHON, "-I", "-c", "import importlib.util as u, sys; sys.exit(not u.find_spec('attention_core'))"]
VERSIONS = ((3, 11), (3, 12), (3, 13), (3, 14))


def fitting_python():
    """This Python, or one on the PATH that the chapter runs on."""
    if sys.version_info[:2] in VERSIONS:
        return sys.executable
    for version in reversed(VERSIONS):
        found = shutil.which("python%d.%d" % version)
        if found and subprocess.call([found, "-c", "pass"], stderr=subprocess.DEVNULL) == 0:
            return found
    sys.exit(
        "The chapter needs Python 3.11 to 3.14; %s is %d.%d.\nInstall one, for instance 'apt install python3' on "
        "Debian 12 or newer, and call 'make PYTHON=/its/path ...'." % ((sys.executable,) + sys.version_info[:2])
    )


def fingerprint(python):
    """What the .venv depends on: the lock, the project file, and the place and Python it is made with."""
    digest = hashlib.sha256(os.fsencode("%s %s" % (HERE, os.path.realpath(python))))
    for name in ("requirements.lock", "pyproject.toml"):
        with open(os.path.join(HERE, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def files():
    """The files of .venv, but for the compiled ones, which Python writes and drops at any time."""
    return [
        os.path.relpath(os.path.join(folder, name), VENV)
        for folder, _, names in os.walk(VENV)
        if os.path.basename(folder) != "__pycache__"
        for name in names
    ]


def is_made(python):
    """Whether .venv is of this lock, no file it was made with is gone, and its Python still starts."""
    try:
        with open(STAMP, encoding="utf-8", errors="surrogateescape") as file:
            made_from, *names = file.read().split("\n")
        return (
            made_from == fingerprint(python)
            and all(os.path.lexists(os.path.join(VENV, name)) for name in names)
            and subprocess.call(STARTS, stderr=subprocess.DEVNULL) == 0
        )
    except OSError:
        return False


def run(*step):
    """Take one step of making .venv, or stop."""
    if subprocess.call(step, close_fds=False):  # the step holds the lock too, should this process be killed alone
        sys.exit("That step failed: %s" % " ".join(step))


def link():
    """Let the editable install point to this folder by the way from there, not by its name.

    Python before 3.13 reads the pointer in the machine's own encoding, and so would miss a name such as "Übung".
    """
    for path in (os.path.join(VENV, name) for name in files()):
        if os.path.basename(path) == "_attention_chapter.pth":
            with open(path, "w") as file:
                file.write(os.path.relpath(HERE, os.path.dirname(path)) + "\n")


def discard():
    """Remove a half-made .venv, which may be what filled the disk, and say what became of it."""
    shutil.rmtree(VENV, ignore_errors=True)
    kept = "%s could not be removed; nothing else" % VENV if os.path.lexists(VENV) else "Nothing"
    return kept + " is kept of it: the next call starts anew."


def build(python):
    """Make .venv, install the locked packages by hash, then this project on top, editable."""
    run(python, "-m", "venv", "--clear", VENV)
    # Python 3.11 brings a setuptools along that no lock names. Whatever replaced it later would leave files missing here.
    run(PYTHON, "-I", "-m", "pip", "uninstall", "-qq", "--yes", "--disable-pip-version-check", "setuptools")
    pip = (PYTHON, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-user")  # whatever pip.conf says
    run(*pip, "--require-hashes", "-r", os.path.join(HERE, "requirements.lock"))
    run(*pip, "--no-deps", "--no-build-isolation", "--editable", HERE)
    link()
    run(*STARTS)
    made = [fingerprint(python)] + files()
    with open(STAMP, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write("\n".join(made))


def make(python):
    """Make .venv whole, or leave none."""
    lacking = [
        name for name in ("venv", "ensurepip") if subprocess.call([python, "-c", "import " + name], stderr=subprocess.DEVNULL)
    ]
    if lacking:
        sys.exit(
            "%s lacks %s, which makes environments.\nOn Debian and Ubuntu: 'apt install python3-venv'."
            % (python, " and ".join(lacking))
        )
    print("Making .venv with %s (about a minute) ..." % python, flush=True)
    try:
        build(python)
    except (SystemExit, OSError, KeyboardInterrupt) as failed:  # a step, a full disk, Ctrl+C
        sys.exit("%s\n%s" % (str(failed) or type(failed).__name__, discard()))


def main():
    python = fitting_python()
    if is_made(python):
        return
    with open(os.path.join(HERE, ".venv.lock"), "w") as lock:
        try:
            import fcntl

            os.set_inheritable(lock.fileno(), True)
            fcntl.flock(lock, fcntl.LOCK_EX)  # let go of by the system when this process ends, however it ends
        except (ImportError, OSError):
            pass  # Windows and some network disks have no such lock; there, do not start two at once
        if not is_made(python):
            make(python)


if __name__ == "__main__":
    main()
