import type { Command } from 'commander';
import { type Check, docsOfCheck, failed, noted, passed } from '../../background/system/check.ts';
import { examineDatabaseFile } from '../../background/system/database-file.ts';
import { examine, examineFiles } from '../../background/system/examine.ts';
import type { Context } from '../../base/context.ts';
import { hasOperator } from '../../people/accounts/queries.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import { schemaDifference } from '../../platform/store/open.ts';
import { baseUrlOf } from '../config/address.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { ConfigProblems } from '../config/setting.ts';
import { docsOfSetting, fileOfDocs } from '../config/settings.ts';
import { exposureOf, type SettingsFile } from '../config/settings-file.ts';
import { deploymentFiles, deploymentOf, openContext } from '../open-context.ts';
import { asSentence, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

interface DoctorOptions extends CommonOptions {
  readonly full?: boolean;
}

export function registerDoctor(program: Command, io: Io): void {
  example(
    program
      .command('doctor')
      .summary('check settings, secret keys, database and disk')
      .description('check settings, secret keys, database and disk; the exit code is 1 if a check fails')
      .option('--full', 'also check the indexes of a large embedded database, which can take minutes'),
    'claimcheck doctor',
  ).action(async (options: DoctorOptions) => {
    const output = createOutput(io, options);
    const { checks: results, docsAt } = await examineAll(io, options.full === true);
    const checks = results.map((check) => ({
      ...check,
      detail: check.ok ? String(check.detail) : asSentence(String(check.detail)),
      docs: docsAt(docsOf(check)),
    }));
    await output.table(
      checks,
      [
        { title: '', value: ({ ok, note }) => (ok ? (note ? 'note' : 'ok') : 'FAILED') },
        { title: 'check', value: ({ check }) => check },
        { title: 'found', value: ({ ok, detail, docs }) => (ok ? detail : `${detail} See ${docs}`) },
      ],
      '',
    );
    const wrong = checks.filter(({ ok }) => !ok).length;
    if (wrong > 0) throw new Error(`${wrong} of ${checks.length} checks failed.`);
  });
}

/** Leads to the setting that `detail` names if it is invalid, else to the check. */
const docsOf = ({ check, ok, detail }: Check): string =>
  (check === 'settings' && !ok && docsOfSetting(String(detail))) || docsOfCheck(check);

interface Examined {
  readonly checks: readonly Check[];
  /** Returns the URL of a documentation page, or the path of its source file if the base URL is unknown. */
  readonly docsAt: (path: string) => string;
}

async function examineAll(io: Io, full: boolean): Promise<Examined> {
  let config: Config;
  try {
    config = parseConfig(io.env);
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    return { checks: error.problems.map((problem) => failed('settings', problem)), docsAt: fileOfDocs };
  }
  const baseUrl = baseUrlOf(config);
  return { checks: await examineConfigured(io, config, full), docsAt: (path) => baseUrl + path };
}

async function examineConfigured(io: Io, config: Config, full: boolean): Promise<readonly Check[]> {
  const settings = [
    passed('settings', `valid; the URL of the service is ${baseUrlOf(config)}`),
    ...examineSettingsFile(io.settingsFile()),
  ];
  const content = config.databaseUrl === null ? examineDatabaseFile(config.dataDir, { full }) : [];
  try {
    const context = await openContext(config, io);
    try {
      return [
        ...settings,
        ...(await examine(deploymentOf(context), true)),
        await examineSchemaObjects(config),
        ...content,
        await examineOperator(context),
      ];
    } finally {
      await context.db.close();
    }
  } catch (error) {
    const database = failed('database', explainFailure(error));
    return [...settings, database, ...content, ...(await examineFiles(deploymentFiles(config)))];
  }
}

/** The system page does not show this check, because only commands read the file. */
const examineSettingsFile = (file: SettingsFile | null): readonly Check[] =>
  file === null || file.repair === null ? [] : [failed('secret files', exposureOf(file))];

/** The system page does not show this check, which creates every table once more. */
const examineSchemaObjects = async (config: Config): Promise<Check> => {
  const difference = await schemaDifference(config);
  return difference === null
    ? passed('schema objects', 'the database has exactly the objects that Claimcheck creates')
    : failed('schema objects', `The database ${difference}; its backups cannot be restored.`);
};

/** The system page does not show this check, because only operators can open the page. */
async function examineOperator({ db }: Context): Promise<Check> {
  return (await hasOperator(db.read))
    ? passed('operator', 'there is an operator')
    : noted(
        'operator',
        `there is no operator yet; open the link that the service prints when it starts, or run ${COMMAND_NAME} accounts create --operator`,
      );
}
