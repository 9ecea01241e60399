/**
 * Every colour, size and distance of the pages. Warm paper and ink with one accent: verdigris, the green of old copper,
 * deep on light and bright on dark. Text and controls have the contrast of WCAG 2.2 AA on every background here.
 */
export const TOKENS = `
@layer tokens {
:root {
  color-scheme: light dark;

  --paper: #f7f4ee;
  --surface: #fffefb;
  --sunken: #f1ede4;
  --hover: #ebe6db;
  --line: #e2dccf;
  --line-strong: #8a8375;
  --ink: #221f1a;
  --ink-soft: #575146;
  --ink-faint: #6b6457;
  --accent: #17594d;
  --accent-hover: #0f463c;
  --on-accent: #ffffff;
  --accent-ink: #14554a;
  --accent-soft: #deece5;
  --accent-line: #a9cbbd;
  --good: #1c6339;
  --good-soft: #ddeedd;
  --warn: #7a4d00;
  --warn-soft: #f8ebcb;
  --warn-line: #dfc27c;
  --bad: #a12a1d;
  --bad-hover: #82190f;
  --bad-soft: #fae5e0;
  --bad-line: #e3aba2;
  --on-bad: #ffffff;
  --focus: #17594d;
  --chart-1: #17594d;
  --chart-2: #c98d3c;
  --shadow: 0 1px 2px rgb(60 50 30 / .06), 0 2px 8px rgb(60 50 30 / .05);
  --shadow-high: 0 4px 12px rgb(60 50 30 / .1), 0 16px 40px rgb(60 50 30 / .16);
  --veil: rgb(34 31 26 / .35);

  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2rem; --s7: 3rem; --s8: 4.5rem;
  --text-xs: .75rem; --text-s: .875rem; --text-m: 1rem; --text-l: 1.125rem; --text-xl: 1.375rem; --text-2xl: 1.75rem; --text-3xl: 2.25rem;
  --radius-s: 5px; --radius: 8px; --radius-l: 12px;
  --sans: Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'Segoe UI Mono', Menlo, Consolas, monospace;
  --control: 2.25rem;
  --measure: 42rem;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #151411;
    --surface: #1d1b17;
    --sunken: #11100e;
    --hover: #2a2722;
    --line: #34302a;
    --line-strong: #857e71;
    --ink: #eee9df;
    --ink-soft: #b9b2a5;
    --ink-faint: #a19a8d;
    --accent: #6cc4ab;
    --accent-hover: #8ad6c0;
    --on-accent: #07211b;
    --accent-ink: #85d3bd;
    --accent-soft: #17352e;
    --accent-line: #2e6355;
    --good: #8fd3a3;
    --good-soft: #173321;
    --warn: #e8bd69;
    --warn-soft: #372a10;
    --warn-line: #6d5420;
    --bad: #f2a094;
    --bad-hover: #f8b9b0;
    --bad-soft: #421d18;
    --bad-line: #7c3a31;
    --on-bad: #2c0905;
    --focus: #85d3bd;
    --chart-1: #6cc4ab;
    --chart-2: #d9a557;
    --shadow: 0 1px 2px rgb(0 0 0 / .4);
    --shadow-high: 0 4px 12px rgb(0 0 0 / .4), 0 16px 40px rgb(0 0 0 / .5);
    --veil: rgb(0 0 0 / .55);
  }
}
@media (max-width: 48rem) {
  :root { --control: 2.75rem; --text-3xl: 1.75rem; --text-2xl: 1.5rem; }
}
}
`;
