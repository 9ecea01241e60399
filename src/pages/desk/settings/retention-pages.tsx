import {
  MAX_COUNTED,
  previewRetention,
  RETENTION_SETTINGS,
  type Retention,
  type RetentionPreview,
  readRetention,
  setRetention,
} from '../../../background/personal-data/retention.ts';
import type { Context } from '../../../base/context.ts';
import type { EventLogLimits } from '../../../base/events/sweep.ts';
import { deskAccountPath, PRIVACY_GUIDE_PATH, RETENTION_PATH } from '../../../base/paths.ts';
import type { RequestLogLimits } from '../../../claims/attempts/sweep.ts';
import { message, t } from '../../../platform/languages/translate.ts';

import type { PageRouter } from '../../frame/page-router.ts';
import { readForm } from '../../frame/pages.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { numberText, Time } from '../../ui/time.tsx';
import { addSettings, FromEnvironment, type Sections, SettingsForm, settingsIn } from './parts.tsx';

const PREVIEW_PATH = `${RETENTION_PATH}/preview`;

interface RetentionLimits {
  readonly requestLog: RequestLogLimits;
  readonly eventLog: EventLogLimits;
}

export function retentionDeskPages(app: PageRouter, context: Context, limits: RetentionLimits): void {
  const show = addSettings(app, {
    path: RETENTION_PATH,
    lead: message('Once a day, data older than its limit is deleted. Claims are kept forever.'),
    saved: message('The settings are saved. They apply within a day.'),
    needsProof: true,
    read: () => readRetention(context.db.read),
    parse: (form, stored) => settingsIn(form, RETENTION_SETTINGS, stored),
    save: (retention, change) => setRetention(context, { retention, ...change }),
    content: (form) => <RetentionForm form={form} limits={limits} />,
  });

  app.post(PREVIEW_PATH, { for: 'operator' }, async (c) => {
    const form = await readForm(c);
    const retention = settingsIn(form, RETENTION_SETTINGS, await readRetention(context.db.read));
    if (retention === null) return show(c, form);
    const preview = await previewRetention(context, retention);
    const content = (
      <>
        <div class="form">
          <Preview preview={preview} />
        </div>
        <RetentionForm form={form} limits={limits} />
      </>
    );
    return show(c, form, content);
  });
}

const SECTIONS: Sections<Retention> = [[message('Limits'), ['unusedMonths', 'mailDays', 'signInDays']]];

const RetentionForm = ({ form, limits }: { form: FormState; limits: RetentionLimits }) => (
  <div class="columns">
    <SettingsForm {...{ form, sections: SECTIONS }} path={RETENTION_PATH} settings={RETENTION_SETTINGS}>
      <Button formaction={PREVIEW_PATH}>{t('Preview deletions')}</Button>
      <p class="hint">{t('The preview uses the limits above, saved or not, and deletes nothing.')}</p>
    </SettingsForm>
    <Environment {...limits} />
  </div>
);

/** `MAX_COUNTED` is a lower bound. */
const amountValues = (amount: number) => ({
  amount,
  count: amount === MAX_COUNTED ? t('{count} or more', { count: numberText(amount) }) : numberText(amount),
});

const Preview = ({ preview }: { preview: RetentionPreview }) => (
  <Card title={t('What these settings would delete now')} id="preview" isStack>
    <DefinitionList
      facts={[
        [
          t('Inactive accounts'),
          t('{amount, plural, one {1 account} other {{count} accounts}}', amountValues(preview.accounts)),
        ],
        [t('Mail'), t('{count, plural, one {# email} other {# emails}}', { count: preview.mails })],
        [
          t('Sign-in IP addresses'),
          t('{amount, plural, one {1 sign-in} other {{count} sign-ins}}', amountValues(preview.signIns)),
        ],
      ]}
    />
    {preview.examples.length > 0 && (
      <>
        <p class="soft-text">
          {preview.accounts > preview.examples.length ? t('The first accounts:') : t('The accounts:')}
        </p>
        <div class="prose">
          <ul>
            {preview.examples.map(({ id, email, used_at }) => (
              <li>
                {t('{email}, last used {time}', {
                  email: <a href={deskAccountPath(id)}>{email}</a>,
                  time: <Time at={used_at} precision="day" />,
                })}
              </li>
            ))}
          </ul>
        </div>
      </>
    )}
    <p class="soft-text">{t('Nothing has been saved or deleted yet.')}</p>
  </Card>
);

const Environment = ({ requestLog: { days, calls }, eventLog: { months } }: RetentionLimits) => (
  <FromEnvironment
    values={[
      {
        label: t('Request log'),
        value: t(
          '{days, plural, one {# day} other {# days}}, but at most the newest {calls, number} calls of each account in each mode',
          { days, calls },
        ),
        settings: ['REQUEST_LOG_DAYS', 'REQUEST_LOG_CALLS'],
      },
      {
        label: t('Audit log'),
        value:
          months === null
            ? t('Forever')
            : t('{count, plural, one {# month} other {# months}}', { count: months }),
        settings: ['EVENT_LOG_MONTHS'],
      },
    ]}
  >
    <p class="soft-text">
      <a href={PRIVACY_GUIDE_PATH}>{t('Everything that is stored, why and for how long')}</a>
    </p>
  </FromEnvironment>
);
