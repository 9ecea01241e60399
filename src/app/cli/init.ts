import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { settingOf } from '../../platform/process/environment.ts';
import { flush, isCode, makeFolder } from '../../platform/process/files.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import { DEFAULT_DATA_DIR, parseConfig } from '../config/config.ts';
import { SECRET_KEY_NAME } from '../config/secret-key.ts';
import { ConfigProblems, type Environment } from '../config/setting.ts';
import { isSecretName, type SettingName } from '../config/settings.ts';
import { SETTINGS_FILE } from '../config/settings-file.ts';
import { addFields, fieldsOf, UsageError } from './options.ts';
import { type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

interface Question {
  readonly name: SettingName;
  readonly about: string;
  /** Settings without which a correct answer would be incomplete. */
  readonly companions?: Environment;
  /** The setting without which the question makes no sense. */
  readonly onlyWith?: SettingName;
}

const KEY_BYTES = 32;
const ANY_KEY = 'any key that is long enough to be valid';

const QUESTIONS: readonly Question[] = [
  { name: 'BASE_URL', about: 'Public URL of the service, such as https://claims.example.com' },
  {
    name: 'TRUSTED_PROXIES',
    about: 'IP addresses or networks of the reverse proxy, such as 127.0.0.1',
    onlyWith: 'BASE_URL',
  },
  {
    name: 'DATABASE_URL',
    about:
      'PostgreSQL, such as postgres://user:password@host:5432/claimcheck; without it, the embedded database',
    companions: { SECRET_KEY: ANY_KEY },
  },
  {
    name: 'SMTP_URL',
    about: 'Mail server, such as smtps://user:password@mail.example.com:465',
    companions: { MAIL_FROM: 'claims@example.com' },
  },
  { name: 'MAIL_FROM', about: 'Sender of mail, such as Claims <claims@example.com>', onlyWith: 'SMTP_URL' },
  { name: 'BACKUP_DIR', about: 'Folder for daily backups, on another disk than the data' },
];

const KEY_ABOUT =
  'Encrypts data, and derives claim tokens. Keep a copy in another place, because backups do not contain it.';

const HEADER = `# Settings of Claimcheck. Restart the service after a change. docs/guide/settings.md, or /docs/settings on the service,
# describes all settings.
`;

/** The options of the command. */
const FIELDS = Object.fromEntries(
  QUESTIONS.map(({ name, about }) => {
    const safer = isSecretName(name)
      ? `; if it contains a password, set ${name} in the environment instead`
      : '';
    const inSentence = about.replace(/^\w(?=[a-z]+\b)/, (letter) => letter.toLowerCase());
    return [name.toLowerCase(), { about: inSentence + safer }];
  }),
);

interface InitOptions extends CommonOptions {
  readonly envFile?: string;
}

type Answers = Readonly<Partial<Record<SettingName, string>>>;

export function registerInit(program: Command, io: Io): void {
  const command = program
    .command('init')
    .summary('write the first settings into a file')
    .description(
      `write the first settings into ${SETTINGS_FILE} in the data folder, or into the file of --env-file; asks for them in a terminal`,
    );
  addFields(command, FIELDS);
  example(command, 'claimcheck init --base-url https://claims.example.com').action(
    async (options: InitOptions, { parent }: Command) => {
      const output = createOutput(io, options);
      const envFile = options.envFile ?? parent?.opts<{ readonly envFile?: string }>().envFile ?? null;
      const dataDir = settingOf(io.env, 'DATA_DIR');
      const path = envFile ?? join(dataDir ?? DEFAULT_DATA_DIR, SETTINGS_FILE);
      if (existsSync(path)) throw new Error(existing(path));
      const given = givenValues(io.env, fieldsOf(command.opts(), FIELDS));
      const answers = io.stdin.isTTY && !output.json ? await askForMissing(io, given) : given;
      const text = settingsText(answers, {
        // In the data folder, the file can't say where the data folder is.
        dataDir: envFile === null || dataDir === null ? null : resolve(dataDir),
        secretKey: hasKey(io.env, dataDir ?? DEFAULT_DATA_DIR, answers) ? null : newKey(io.random),
      });
      parseConfig({ ...keysOf(io.env), ...parseEnv(text) });
      if (envFile === null) makeFolder(dirname(path));
      writeNew(path, text);
      const next = `${COMMAND_NAME} serve${envFile === null ? '' : ` --env-file ${envFile}`}`;
      if (output.json) await output.record({ file: resolve(path), next });
      else output.say(`The settings are in ${path}, which only you can read. Start the service: ${next}`);
    },
  );
}

const existing = (path: string): string =>
  `${path} exists already and was not changed. Edit it, or name another file with --env-file`;

const keysOf = ({ SECRET_KEY, SECRET_KEY_FILE }: Environment): Environment => ({
  SECRET_KEY,
  SECRET_KEY_FILE,
});

function hasKey(env: Environment, dataDir: string, answers: Answers): boolean {
  const isInEnvironment = Object.keys(keysOf(env)).some((name) => settingOf(env, name) !== null);
  // A key in the file would replace the key that an embedded database was created with.
  return (
    isInEnvironment || (answers.DATABASE_URL === undefined && existsSync(join(dataDir, SECRET_KEY_NAME)))
  );
}

const newKey = (random: Io['random']): string => Buffer.from(random(KEY_BYTES)).toString('base64url');

function givenValues(env: Environment, options: Readonly<Record<string, string | undefined>>): Answers {
  const values = QUESTIONS.map(
    ({ name }) => [name, options[name.toLowerCase()] ?? settingOf(env, name)] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== null && value !== ''));
}

async function askForMissing(io: Io, given: Answers): Promise<Answers> {
  const answers: Record<string, string> = { ...given };
  const terminal = createInterface({ input: io.stdin, output: io.stderr as NodeJS.WritableStream });
  // Unlike `question`, the iterator also returns lines that were pasted before their prompt.
  const lines = terminal[Symbol.asyncIterator]();
  const read = async (prompt: string) => {
    terminal.setPrompt(prompt);
    terminal.prompt();
    const line = await lines.next();
    // Ctrl-C or Ctrl-D.
    if (line.done === true) throw new Error('Nothing was written');
    return line.value.trim();
  };
  try {
    for (const { name, about, companions, onlyWith } of QUESTIONS) {
      if (answers[name] !== undefined || (onlyWith !== undefined && answers[onlyWith] === undefined))
        continue;
      io.stderr.write(`${about}\n`);
      let problem: string | null;
      do {
        const answer = await read(`${name} (Enter: none): `);
        problem = answer === '' ? null : problemOf({ ...companions, [name]: answer });
        if (problem !== null) io.stderr.write(`${problem}\n`);
        else if (answer !== '') answers[name] = answer;
      } while (problem !== null);
    }
    return answers;
  } finally {
    terminal.close();
  }
}

function problemOf(env: Environment): string | null {
  try {
    parseConfig(env);
    return null;
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems.join(' ');
    throw error;
  }
}

function settingsText(
  answers: Answers,
  { dataDir, secretKey }: { readonly dataDir: string | null; readonly secretKey: string | null },
): string {
  const lines = QUESTIONS.map(({ name, about }) => entry(name, about, answers[name]));
  if (dataDir !== null) lines.unshift(entry('DATA_DIR', 'The data folder', dataDir));
  if (secretKey !== null) lines.push(entry('SECRET_KEY', KEY_ABOUT, secretKey));
  return [HEADER, ...lines].join('\n');
}

const entry = (name: SettingName, about: string, value: string | undefined): string =>
  `# ${about}\n${value === undefined ? `# ${name}=` : `${name}=${quoted(name, value)}`}\n`;

/** Only double quotation marks have escapes, so they come last. */
function quoted(name: SettingName, value: string): string {
  if (/^[\w./:@%+,&?=-]+$/.test(value)) return value;
  const mark = ["'", '`', '"'].find((one) => !value.includes(one));
  if (mark === undefined) {
    throw new UsageError(
      `${name} contains three kinds of quotation marks, so it can't be written into the file.`,
    );
  }
  return mark + value + mark;
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (cause) {
    if (isCode(cause, 'EEXIST')) throw new Error(existing(path), { cause });
    throw cause;
  }
  flush(dirname(resolve(path)));
}
