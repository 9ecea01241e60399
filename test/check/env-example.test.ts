import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileForm, isSecretName, SETTING_NAMES, type SettingName } from '../../src/app/config/settings.ts';

const COLUMNS = 100;

const HEADER = `Settings of Claimcheck with their defaults. Copy the lines that you change into claimcheck.env in the data folder (data by default) and run chmod 600 on the file, or name another file with --env-file. docs/guide/settings.md has the details.`;

const sections = readFileSync('docs/guide/settings.md', 'utf8').split(/^(?=#{2,3} )/m);

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/ \(\[[^\]]+\]\([^)]+\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '');

function comment(text: string): string {
  const lines = [''];
  for (const word of plain(text).split(/\s+/)) {
    if (`# ${lines.at(-1)} ${word}`.length > COLUMNS) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.map((line) => `# ${line}\n`).join('');
}

function example(name: SettingName, paragraph: string): string {
  const [, initial = ''] = /^Default: `([^`]+)`\./.exec(paragraph) ?? [];
  const file = isSecretName(name) ? `# ${fileForm(name)}=\n` : '';
  return `${comment(paragraph)}# ${name}=${initial}\n${file}`;
}

test('.env.example has each setting with the words of the guide (update it with --update)', async () => {
  const blocks = sections.flatMap((section) => {
    const [, level, title = '', paragraph = ''] = /^(#{2,3}) (.+)\n+(.*)/.exec(section) ?? [];
    if (level === '###') return [example(title as SettingName, paragraph)];
    return level === '##' && /^### /m.test(sections[sections.indexOf(section) + 1] ?? '')
      ? [`# ${'-'.repeat(COLUMNS - 2)}\n# ${title}\n`]
      : [];
  });
  const text = [comment(HEADER), ...blocks].join('\n');
  await expect(text).toMatchFileSnapshot('../../.env.example');
  const names = SETTING_NAMES.flatMap((name) => (isSecretName(name) ? [name, fileForm(name)] : [name]));
  expect([...text.matchAll(/^# (\w+)=/gm)].map(([, name]) => name)).toEqual(names);
});
