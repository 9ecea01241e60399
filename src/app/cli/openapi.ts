import { type Command, Option } from 'commander';
import { AUDIENCES, type Audience } from '../../platform/http/operations/operation.ts';
import { baseUrlOf } from '../config/address.ts';
import { parseConfig } from '../config/config.ts';
import { type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

export function registerOpenApi(program: Command, io: Io): void {
  example(
    program
      .command('openapi')
      .summary('print the OpenAPI 3.1 document')
      .description('print the OpenAPI 3.1 document, the same as /openapi.json')
      .addOption(
        new Option('--audience <who>', 'describe only the operations and webhooks for them').choices(
          Object.keys(AUDIENCES),
        ),
      ),
    'claimcheck openapi --audience owner > openapi.json',
  ).action(async (options: CommonOptions & { readonly audience?: Audience }) => {
    const output = createOutput(io, options);
    const { openApiDocument } = await import('../../api/operations.ts');
    const config = parseConfig(io.env);
    const document = openApiDocument(baseUrlOf(config), config.firstBrand, options.audience);
    await output.raw(`${output.json ? JSON.stringify(document) : JSON.stringify(document, null, 2)}\n`);
  });
}
