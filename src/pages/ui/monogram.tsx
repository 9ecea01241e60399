import { createHash } from 'node:crypto';

/** White text on these colours has a contrast ratio of at least 7. */
const COLOURS = [
  '#17594d',
  '#7a4d00',
  '#8f2f22',
  '#3d4f8a',
  '#6b3f7d',
  '#2f6338',
  '#8a3a5e',
  '#4d5a66',
] as const;

/** A word starts with a letter or digit, not with a combining mark (`\p{M}`) or an apostrophe. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;

/** Initials are in the first words. Normalizing long text takes quadratic time. */
const READ_LENGTH = 200;

/** The initials of a name, at most two; `?` for a name without letters or digits. */
export function initialsOf(name: string): string {
  const words = name.slice(0, READ_LENGTH).normalize('NFC').match(WORD) ?? ['?'];
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0)!).toLocaleUpperCase('en'))
    .join('');
}

const bytesOf = (name: string): Uint8Array => createHash('sha256').update(name).digest();

export const colourOf = (name: string): string => COLOURS[bytesOf(name)[0]! % COLOURS.length]!;

/** Placeholder for a missing cover picture. Its colour and circles are derived from the name. */
export function DrawnCover({ name }: { name: string }) {
  const bytes = bytesOf(name);
  const circles = [110, 70, 40].map((radius, index) => ({
    cx: index * 120 + (bytes[index + 1]! % 80),
    cy: bytes[index + 4]! % 180,
    r: radius + (bytes[index + 7]! % 40),
  }));
  return (
    <svg viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g fill={colourOf(name)} fill-opacity=".2">
        <rect width="320" height="180" />
        {circles.map((circle) => (
          <circle {...circle} />
        ))}
      </g>
    </svg>
  );
}

/** Placeholder for a missing icon, with the initials of the name. `size` is in CSS pixels. */
export const Monogram = ({ name, size }: { name: string; size: number }) => (
  <svg class="monogram" width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
    <rect width="64" height="64" rx="14" fill={colourOf(name)} />
    <text
      x="32"
      y="33"
      fill="#fff"
      font-size="24"
      font-weight="600"
      text-anchor="middle"
      dominant-baseline="central"
    >
      {initialsOf(name)}
    </text>
  </svg>
);
