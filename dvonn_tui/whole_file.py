"""Writing a file so that a crash leaves the old one or the new one."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def write_whole(path: Path, text: str, *, replace: bool = True) -> None:
    """Put a text in the place of a file at once. Raises OSError; the file is then as before.

    Without `replace` a file that is there already is left alone, also one that came this moment.
    Devices, pipes and folders are never replaced.

    Raises:
        FileExistsError: there is such a file, and it is not to be replaced.
    """
    import shutil
    import tempfile
    from contextlib import suppress

    # A link, as keepers of dotfiles use them, stays a link.
    path = path.resolve()
    if not replace and path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no file that could be replaced", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        else:
            os.chmod(temporary, 0o666 & ~_mask())
        if replace:
            os.replace(temporary, path)
        else:
            _put_new(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _put_new(temporary: str, path: Path) -> None:
    """Give a file its name unless there is one of that name."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # Some file systems know no links; the moment between these two is all that is left to chance.
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        os.replace(temporary, path)
    else:
        os.unlink(temporary)


def _mask() -> int:
    """What new files are not allowed. It can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
