import { STYLE } from '../style.ts';
/** The whole style sheet. */
export const STYLES: string = STYLE;
