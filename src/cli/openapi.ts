/** claimcheck openapi */
import type { Command } from 'commander';
import { baseUrlOf } from '../config/address.ts';
import { parseConfig } from '../config.ts';
import { type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

export function registerOpenApi(program: Command, io: Io): void {
  example(
    program.command('openapi').description('print the OpenAPI 3.1 document, the same as /openapi.json'),
    'claimcheck openapi > openapi.json',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    const { openApiDocument } = await import('../app/api.ts');
    const config = parseConfig(io.env);
    const document = openApiDocument(baseUrlOf(config), config.securityContact);
    await output.raw(`${output.json ? JSON.stringify(document) : JSON.stringify(document, null, 2)}\n`);
  });
}
