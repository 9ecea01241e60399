import type { OutboxMail } from '../../../people/mail/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Code, CopyLine } from '../../ui/code.tsx';
import { DefinitionList, type Fact } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';

/** `isOwn`: the reader may open the mail's link. Otherwise, the link is for passing it on. */
export function MailCard({ mail, isOwn = false }: { mail: OutboxMail; isOwn?: boolean }) {
  const words = mail.text.split(/\s+/);
  const link = words.find((word) => /^https?:\/\/[^#]+#./.test(word));
  const ownLink = isOwn ? words.find((word) => /^https?:\/\//.test(word)) : undefined;
  return (
    <article class="card" aria-labelledby={`mail-${mail.id}`}>
      <h2 id={`mail-${mail.id}`} dir="auto">
        {mail.subject}
      </h2>
      <div class="stack">
        <DefinitionList
          facts={[
            [t('To'), mail.recipient],
            [t('Written'), <Time at={mail.created_at} />],
            ...factsOfSending(mail),
          ]}
        />
        {ownLink !== undefined && (
          <p>
            <ButtonLink href={ownLink}>{t('Open the link')}</ButtonLink>
          </p>
        )}
        {link !== undefined && !isOwn && (
          <CopyLine text={link} what={t('the link for {person}', { person: mail.recipient })} />
        )}
        {mail.text === '' ? (
          <p class="quiet-text">
            {t('The code in this email was used or replaced, or has expired, so the text was deleted.')}
          </p>
        ) : (
          <Code text={mail.text} what={t('the text for {person}', { person: mail.recipient })} />
        )}
      </div>
    </article>
  );
}

/** Returns an empty list if no mail server was set up when the mail was written. */
function factsOfSending({ attempts, failure, failed_at, held_at, next_at }: OutboxMail): readonly Fact[] {
  if (next_at === null && failed_at === null) return [];
  const afterAttempts = () =>
    t('After {count, plural, one {# attempt} other {# attempts}}', { count: attempts });
  const tried = failure === null ? [] : [[afterAttempts(), failure] satisfies Fact];
  if (failed_at !== null) return [...tried, [t('Failed'), <Time at={failed_at} />]];
  if (held_at !== null) {
    return [...tried, [t('On hold'), t('Since the restore, until you send the held mail.')]];
  }
  return [...tried, [t('Next attempt'), <Time at={next_at!} />]];
}
