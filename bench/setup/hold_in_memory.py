"""Reads a file into memory and keeps it there until standard input ends. Prints a line when it is there.

The file is read as if at random, as a database would read it: Linux keeps a file that is read in sequence in large folios,
and since version 6.16, each page of 4 KiB that ext4 writes into a folio goes through all of its pages. Pages are locked if
the system allows it, since some systems drop recently read pages even while memory is free.
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
    # Touches each page, which locks it.
    mapped[start : start + CHUNK_BYTES : mmap.PAGESIZE]
if refused:
    print("the file is in memory, but may not be locked there: raise ulimit -l", file=sys.stderr)
print("ready", flush=True)
sys.stdin.read()
