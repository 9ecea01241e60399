"""Keeps a file in memory until standard input ends. Prints a line when the file is in memory.

The file is read with POSIX_FADV_RANDOM. Otherwise, Linux would cache it in large folios, which slow down writes:
since Linux 6.16, each 4 KiB write to ext4 iterates over all pages of its folio. The script locks the pages
if the system allows it, because some systems evict recently read pages even while memory is free.
"""

import ctypes
import mmap
import os
import sys

CHUNK_BYTES = 1024 * 1024
MCL_CURRENT = 1
MCL_ONFAULT = 4

file = os.open(sys.argv[1], os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
mapped = mmap.mmap(file, 0, access=mmap.ACCESS_READ)
mapped.madvise(mmap.MADV_RANDOM)
refused = ctypes.CDLL(None).mlockall(MCL_CURRENT | MCL_ONFAULT)
for start in range(0, len(mapped), CHUNK_BYTES):
    os.pread(file, CHUNK_BYTES, start)
    # Touching a page locks it (MCL_ONFAULT).
    mapped[start : start + CHUNK_BYTES : mmap.PAGESIZE]
if refused:
    print("the file was read into memory but could not be locked there; raise ulimit -l", file=sys.stderr)
print("ready", flush=True)
sys.stdin.read()
