/** The operator's question about a live listing, and the form for the owner's reply. */
import type { Context } from '../../../base/context.ts';
import { OWN_LISTINGS_PATH, ownListingPath, ownQuestionPath } from '../../../base/paths.ts';
import { findOwnListing, type OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { findOpenQuestion, type Question } from '../../../marketplace/listings/question-queries.ts';
import { answerQuestion } from '../../../marketplace/listings/questions.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated, parseReply } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { changeBy, type PageContext, page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { Paragraph } from '../../ui/breakable.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HiddenField, TextAreaField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../ui/viewer.ts';

const PATH = ownQuestionPath(':id');

export function questionPages(app: PageRouter, context: Context): void {
  const find = async (c: PageContext, { accountId }: Viewer) =>
    requireFound(await findOwnListing(context.db.read, accountId, c.req.param('id') ?? ''));
  const show = async (c: PageContext, listing: OwnListing, form: FormState) => {
    const question = await findOpenQuestion(context.db.read, listing.id);
    return page(c, <QuestionPage {...{ listing, question, form }} />, {
      title: t('The operator’s question'),
      status: form.status,
    });
  };

  app.get(PATH, { for: 'member' }, async (c, viewer) => show(c, await find(c, viewer), newForm()));

  app.post(PATH, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    form.hasOnly('reply');
    const listing = await find(c, viewer);
    const typed = form.read({ reply: parseReply });
    if (typed === null) return show(c, listing, form);
    const questionId = form.text('question');
    const reply = { ...typed, listing: listing.id, questionId, ...changeBy(viewer) };
    await form.attempt('reply', () => answerQuestion(context, reply));
    return form.isFine ? redirect(c, ownQuestionPath(listing.id)) : show(c, listing, form);
  });
}

interface QuestionPageProps {
  readonly listing: OwnListing;
  /** `null`: the question was answered, or the operator has decided without a reply. */
  readonly question: Question | null;
  readonly form: FormState;
}

const QuestionPage = ({ listing, question, form }: QuestionPageProps) => (
  <>
    <PageHeader
      above={
        <Breadcrumb
          trail={[
            [t('Listings'), OWN_LISTINGS_PATH],
            [listing.name, ownListingPath(listing.id)],
          ]}
        />
      }
      title={t('The operator’s question')}
    />
    {question === null ? (
      <Notice
        title={t('No open question')}
        actions={<ButtonLink href={ownListingPath(listing.id)}>{t('Open the listing')}</ButtonLink>}
      >
        {t('A reply that you have sent is with the operator.')}
      </Notice>
    ) : (
      <Form form={form} action={ownQuestionPath(listing.id)}>
        <HiddenField name="question" value={question.id} />
        <QuotedQuestion question={question} />
        <TextAreaField
          form={form}
          name="reply"
          label={t('Your reply')}
          hint={t('Only the operator sees it. At most 1,000 characters.')}
        />
        <FormActions>
          <Button tone="primary">{t('Send reply')}</Button>
          <a href={ownListingPath(listing.id)}>{t('Open the listing')}</a>
        </FormActions>
      </Form>
    )}
  </>
);

const QuotedQuestion = ({ question: { question, asked_at } }: { question: Question }) => (
  <blockquote class="quoted">
    <Paragraph>{question}</Paragraph>
    <p class="hint">{t('Asked {time}', { time: <Time at={asked_at} /> })}</p>
  </blockquote>
);

export const QuestionNotice = ({ listing, question }: { listing: OwnListing; question: Question }) => (
  <Notice
    tone="warn"
    title={t('The operator has a question about {name}', { name: isolated(listing.name) })}
    actions={
      <ButtonLink href={ownQuestionPath(listing.id)} tone="primary">
        {t('Reply')}
      </ButtonLink>
    }
  >
    <QuotedQuestion question={question} />
  </Notice>
);
