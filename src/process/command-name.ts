/** How the command of this installation is called, for instructions that people copy. */
import { existsSync } from 'node:fs';
import { ROOT } from './version.ts';

/** A package holds no sources: where there are any, this is a checkout, whose command npm starts. */
const isCheckout = existsSync(new URL('src/', ROOT));

export const COMMAND_NAME: string = isCheckout ? 'npm run -s claimcheck --' : 'claimcheck';
