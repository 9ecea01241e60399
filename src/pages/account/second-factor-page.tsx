/** The secret and the backup codes are shown only once. */
import { ACCOUNT_PATH } from '../../base/paths.ts';
import type { NewSecondFactor } from '../../people/sign-in/credentials/two-factor.ts';
import { message, t } from '../../platform/languages/translate.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Code, CopyLine, QrCode, SaveButton } from '../ui/code.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { CodeField, ShortForm } from './forms.tsx';

export const SECOND_FACTOR_TITLE = message('Turn on the second factor');

const AboveAccount = () => <Breadcrumb trail={[[t('Account'), ACCOUNT_PATH]]} />;

export const BeginSecondFactorPage = ({ newFactor }: { newFactor: NewSecondFactor }) => (
  <>
    <PageHeader
      above={<AboveAccount />}
      title={t(SECOND_FACTOR_TITLE)}
      lead={t('Three steps. Nothing changes until the last one.')}
    />
    <div class="stack-loose narrow">
      <Card title={t('1. Scan this with your authenticator app')} isStack>
        <QrCode text={newFactor.link} label={t('QR code for the authenticator app')} />
        <p class="soft-text">{t('Or enter the key in the app:')}</p>
        <CopyLine text={newFactor.secret.match(/.{1,4}/g)?.join(' ') ?? ''} what={t('the key')} />
      </Card>
      <Card title={t('2. Save the backup codes')}>
        <BackupCodes codes={newFactor.backupCodes} />
      </Card>
      <Card title={t('3. Enter the code that the app shows')}>
        <ConfirmForm form={newForm()} />
      </Card>
    </div>
  </>
);

/** Shown after a wrong code. Omits the secret, because the app already has it. */
export const ConfirmSecondFactorPage = ({ form }: { form: FormState }) => (
  <>
    <PageHeader
      above={<AboveAccount />}
      title={t(SECOND_FACTOR_TITLE)}
      lead={t(
        'Enter the code that the app shows now. If you haven’t scanned the QR code, start again on your account page.',
      )}
    />
    <div class="narrow">
      <ConfirmForm form={form} />
    </div>
  </>
);

const ConfirmForm = ({ form }: { form: FormState }) => (
  <ShortForm
    form={form}
    action={`${ACCOUNT_PATH}/two-factor/confirm`}
    button={t('Turn it on')}
    also={<a href={ACCOUNT_PATH}>{t('Cancel')}</a>}
  >
    <CodeField form={form} hint={t('Six digits.')} inputmode="numeric" short />
  </ShortForm>
);

const BackupCodes = ({ codes }: { codes: readonly string[] }) => (
  <div class="stack">
    <p class="soft-text">
      {t(
        'Each code works once in place of the app, for example if you lose your phone. The codes are shown only once.',
      )}
    </p>
    <Code text={codes.join('\n')} what={t('the backup codes')} />
    <div>
      <SaveButton text={`${codes.join('\n')}\n`} file="backup-codes.txt">
        {t('Download codes')}
      </SaveButton>
    </div>
  </div>
);

export const NewBackupCodesPage = ({ codes }: { codes: readonly string[] }) => (
  <>
    <PageHeader above={<AboveAccount />} title={t('Your new backup codes')} />
    <div class="stack-loose narrow">
      <Notice tone="good" title={t('Save them now. They are shown only once')}>
        {t('Your earlier codes no longer work.')}
      </Notice>
      <BackupCodes codes={codes} />
      <p>
        <ButtonLink href={ACCOUNT_PATH}>{t('I’ve saved them')}</ButtonLink>
      </p>
    </div>
  </>
);
