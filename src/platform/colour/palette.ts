/** Text and controls meet the contrast requirements of WCAG 2.2 AA on every background of this palette. */

/** The default accent colour and its shades. `accent.ts` derives the shades of other accent colours. */
export const LIGHT_ACCENT = {
  accent: '#17594d',
  'accent-hover': '#0f463c',
  'on-accent': '#ffffff',
  'accent-ink': '#14554a',
  'accent-soft': '#deece5',
  'accent-line': '#a9cbbd',
  focus: '#17594d',
  'chart-1': '#17594d',
} as const;

export type Accent = Readonly<Record<keyof typeof LIGHT_ACCENT, string>>;

export const DARK_ACCENT: Accent = {
  accent: '#6cc4ab',
  'accent-hover': '#8ad6c0',
  'on-accent': '#07211b',
  'accent-ink': '#85d3bd',
  'accent-soft': '#17352e',
  'accent-line': '#2e6355',
  focus: '#85d3bd',
  'chart-1': '#6cc4ab',
};

export const LIGHT = {
  paper: '#f7f4ee',
  surface: '#fffefb',
  sunken: '#f1ede4',
  hover: '#ebe6db',
  line: '#e2dccf',
  'line-strong': '#8a8375',
  ink: '#221f1a',
  'ink-soft': '#575146',
  'ink-faint': '#6b6457',
  good: '#1c6339',
  'good-soft': '#ddeedd',
  'good-line': '#a9cbbd',
  warn: '#7a4d00',
  'warn-soft': '#f8ebcb',
  'warn-line': '#dfc27c',
  bad: '#a12a1d',
  'bad-hover': '#82190f',
  'bad-soft': '#fae5e0',
  'bad-line': '#e3aba2',
  'on-bad': '#ffffff',
  'chart-2': '#c98d3c',
} as const;

export const DARK: Readonly<Record<keyof typeof LIGHT, string>> = {
  paper: '#151411',
  surface: '#1d1b17',
  sunken: '#11100e',
  hover: '#2a2722',
  line: '#34302a',
  'line-strong': '#857e71',
  ink: '#eee9df',
  'ink-soft': '#b9b2a5',
  'ink-faint': '#a19a8d',
  good: '#8fd3a3',
  'good-soft': '#173321',
  'good-line': '#2e6355',
  warn: '#e8bd69',
  'warn-soft': '#372a10',
  'warn-line': '#6d5420',
  bad: '#f2a094',
  'bad-hover': '#f8b9b0',
  'bad-soft': '#421d18',
  'bad-line': '#7c3a31',
  'on-bad': '#2c0905',
  'chart-2': '#d9a557',
};
