/** The style sheet of every page, in layers: a later layer overrides an earlier one, whatever the selectors. */
import { BASE } from './base.ts';
import { BLOCKS } from './blocks.ts';
import { CONTROLS } from './controls.ts';
import { DATA } from './data.ts';
import { DESK } from './desk.ts';
import { DOCS } from './docs.ts';
import { LAYOUT } from './layout.ts';
import { MARKET } from './market.ts';
import { OWNER } from './owner.ts';
import { TOKENS } from './tokens.ts';

const ORDER = '@layer reset, tokens, base, layout, components, utilities;';

export const STYLES: string = [
  ORDER,
  TOKENS,
  BASE,
  LAYOUT,
  CONTROLS,
  BLOCKS,
  MARKET,
  DATA,
  DESK,
  OWNER,
  DOCS,
].join('');
