"""Reads a file into memory a page at a time, as a database that looks here and there would have.

What is read in sequence is kept in large pieces, and since Linux 6.16 each page of 4 KiB that ext4 writes into such a piece
goes through all of its pages: redemptions would be timed that no server has.
"""

import os
import sys

CHUNK_BYTES = 1024 * 1024

file = os.open(sys.argv[1], os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
while os.read(file, CHUNK_BYTES):
    pass
