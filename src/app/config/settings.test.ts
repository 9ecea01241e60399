import { expect, test } from 'vitest';
import { ConfigProblems } from './setting.ts';
import { docsOfSetting } from './settings.ts';

test('docsOfSetting links to the first setting in a sentence and ignores partial names', () => {
  expect(docsOfSetting('SECRET_KEY_FILE cannot be read')).toBe('/docs/settings#secret_key');
  expect(docsOfSetting('SECRET_KEY and SECRET_KEY_FILE are both set.')).toBe('/docs/settings#secret_key');
  expect(docsOfSetting('MY_PORT is not ours')).toBeNull();
});

test('ConfigProblems refers to files of the guide, because the service has not started', () => {
  const { message, problems } = new ConfigProblems(['PORT must be a number.', '--port must be a number.']);
  expect(message).toBe('PORT must be a number. See docs/guide/settings.md#port.\n--port must be a number.');
  expect(problems).toEqual(['PORT must be a number.', '--port must be a number.']);
});
