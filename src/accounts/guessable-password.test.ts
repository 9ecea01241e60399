import { describe, expect, it } from 'vitest';
import { refuseGuessablePassword } from './guessable-password.ts';

const ada = { person: ['Ada Lovelace', 'Ada.L@analytical.example'], baseUrl: 'https://claims.acme.example' };

describe('a password that is easy to guess', () => {
  it.each([
    '123456789012345',
    '0123456789abcdef',
    'abcdefghijklmnop',
    'passwordpassword',
    'Password123456!',
    'P@ssw0rdP@ssw0rd',
    'iloveyou1234567',
    'letmeinletmeinplease',
    'adminadminadmin1',
    'qwertyuiopasdfgh',
    'hunter2hunter2hunter2',
    'xkqzxkqzxkqzxkqz1',
    'aaaaaaaaaaaaaaaaaaaa',
    `${'a'.repeat(199)}b`,
    'claimcheckclaimcheck',
    'Claimcheck-Claimcheck',
    'Ada LovelaceAda Lovelace',
    'adalovelaceadalovelace',
    'ada.l@analytical.example',
    'analytical-lovelace',
    'claims.acme.example',
    'acme-claims-2026',
    'evolevolevolevol',
  ])('is refused: %s', (password) =>
    expect(refuseGuessablePassword(password, ada)).rejects.toThrow(/^The password is easy to guess: /),
  );

  it.each([
    'four random words do well',
    'correct horse battery staple',
    'correcthorsebatterystaple',
    'marmalade teapot canyon',
    'kT9xW2vLq8ZrN4b',
    '839201746583921',
    'mein Pferd isst Salat',
    'Владимир пьёт чай ночью',
    '馬鹿電池正確留鉤花火夏空海山川',
    'ada likes marmalade toast',
    `${'four random words do well '.repeat(7)}`,
  ])('is not: %s', (password) => expect(refuseGuessablePassword(password, ada)).resolves.toBeUndefined());

  it.each(['kT9xW2vL', 'horse-29', 'teapot lamp'])('passes beside a second factor: %s', async (password) => {
    await refuseGuessablePassword(password, { ...ada, hasSecondFactor: true });
  });

  it.each(['password1', 'lovelace1', '12345678', 'aaaaaaaaaaaa'])(
    'is refused beside a second factor too: %s',
    (password) =>
      expect(refuseGuessablePassword(password, { ...ada, hasSecondFactor: true })).rejects.toThrow(),
  );

  it('is known by what belongs to the person, not to others', async () => {
    const baseUrl = 'http://127.0.0.1:3000';
    const password = 'wojciechowska-zbyszka';
    await refuseGuessablePassword(password, { person: ['Bob', 'bob@example.com'], baseUrl });
    const hers = { person: ['Zbyszka Wojciechowska', 'z@example.com'], baseUrl };
    await expect(refuseGuessablePassword(password, hers)).rejects.toThrow();
  });
});
