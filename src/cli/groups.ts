/** Which groups of commands there are, in the order in which help lists them. */
import type { Register } from './program.ts';

export const GROUPS: readonly Register[] = [];
