/** The invitation links of a listing or of the marketplace, which owners and operators create. */
import type { Context } from '../../base/context.ts';
import { invitationLink } from '../../people/members/letters.ts';
import {
  createAccessLink,
  type LinkScope,
  MAX_ACCESS_LINKS,
  MAX_DAYS_OF_LINK,
  MAX_LINK_NAME_LENGTH,
  MAX_PEOPLE_OF_LINK,
  parseDaysOfLink,
  parseLinkName,
  parsePeopleOfLink,
  revokeAccessLink,
} from '../../people/visibility/access-link.ts';
import { type ListedLink, listAccessLinks } from '../../people/visibility/link-queries.ts';
import { t } from '../../platform/languages/translate.ts';
import { isUuid, uuidv7 } from '../../platform/store/uuid.ts';
import { isolated } from '../../platform/text/text.ts';
import { requireProof } from '../frame/kept-forms.tsx';
import type { PageRouter } from '../frame/page-router.ts';
import { actorOf, type PageContext, page, readForm, redirect, requireFound } from '../frame/pages.ts';
import { Button } from '../ui/button.tsx';
import { CopyLine } from '../ui/code.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { FormId, NumberField, TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time, TimeWithZone } from '../ui/time.tsx';
import type { Viewer } from '../ui/viewer.ts';

/** What the links of a page are for. */
interface LinkSubject extends LinkScope {
  readonly path: string;
  readonly lead: string;
  readonly trail: readonly (readonly [label: string, path: string])[];
}

interface LinkPages {
  readonly actor: 'member' | 'operator';
  /** The path of the page, with a parameter `:id` for a listing. */
  readonly route: string;
  readonly subject: (c: PageContext, viewer: Viewer) => Promise<LinkSubject>;
}

interface LinkServices {
  readonly context: Context;
  readonly baseUrl: string;
}

const NEW_LINK = { people: '100', days: '30' };

export function addLinkPages(
  app: PageRouter,
  { context, baseUrl }: LinkServices,
  { actor, route, subject }: LinkPages,
): void {
  const emptyForm = () => newForm({ ...NEW_LINK, form: uuidv7(context) });
  const show = async (c: PageContext, of: LinkSubject, form: FormState, link: string | null = null) => {
    const links = await listAccessLinks(context.db.read, of.listingId);
    const done = link === null && form.status === 200 ? (c.req.query('done') ?? null) : null;
    const now = context.at();
    return page(c, <LinksPage {...{ of, links, form, link, done, now }} />, {
      title: of.listingId === null ? t('Invitation links for members') : t('Invitation links'),
      status: form.status,
    });
  };

  app.get(route, { for: actor }, async (c, viewer) => show(c, await subject(c, viewer), emptyForm()));

  // Shows the link only in this response, so it doesn't redirect.
  app.post(route, { for: actor }, async (c, viewer) => {
    const form = await readForm(c);
    const of = await subject(c, viewer);
    const values = form.read({ name: parseLinkName, people: parsePeopleOfLink, days: parseDaysOfLink });
    if (values === null) return show(c, of, form);
    // The link gives access for up to a year, long after a stolen session has ended.
    await requireProof(c);
    const link = { ...of, ...values, actor: actorOf(viewer), formId: form.text('form') };
    const created = await form.attempt(null, () => createAccessLink(context, link));
    return created === null
      ? show(c, of, form)
      : show(c, of, emptyForm(), invitationLink(baseUrl, created.code));
  });

  app.post(`${route}/:link/revoke`, { for: actor }, async (c, viewer) => {
    await readForm(c);
    const of = await subject(c, viewer);
    const id = c.req.param('link') ?? '';
    const links = await listAccessLinks(context.db.read, of.listingId);
    requireFound(isUuid(id) ? links.find((link) => link.id === id.toLowerCase()) : null);
    await revokeAccessLink(context, { ...of, id: id.toLowerCase(), actor: actorOf(viewer) });
    return redirect(c, `${of.path}?done=revoked`);
  });
}

interface LinksPageProps {
  readonly of: LinkSubject;
  readonly links: readonly ListedLink[];
  readonly form: FormState;
  /** The link that was just created. */
  readonly link: string | null;
  readonly done: string | null;
  readonly now: string;
}

const LinksPage = ({ of, links, form, link, done, now }: LinksPageProps) => (
  <>
    <PageHeader above={<Breadcrumb trail={of.trail} />} title={t('Invitation links')} lead={of.lead} />
    <div class="stack-loose">
      {link !== null && (
        <Notice tone="good" title={t('Pass this link on')}>
          <div class="stack">
            <p>
              {t(
                'It isn’t shown again. Whoever has it can use it, so share it only with people who may see what it opens.',
              )}
            </p>
            <CopyLine text={link} what={t('link')} />
          </div>
        </Notice>
      )}
      {done === 'revoked' && <LinkRevoked />}
      {links.length > 0 && (
        <Table caption={t('Invitation links')} rows={links} columns={linkColumns(of.path, now)} />
      )}
      <NewLink of={of} form={form} />
    </div>
  </>
);

export const LinkRevoked = () => (
  <Notice tone="good">{t('The link is revoked, and the people who used it have lost their access.')}</Notice>
);

/** `path`: the path of the page, below which a link is revoked. The first column is the name. */
export const linkColumns = (
  path: string,
  now: string,
): readonly [name: Column<ListedLink>, ...Column<ListedLink>[]] => [
  { header: t('Name'), isName: true, cell: ({ name }) => isolated(name) },
  {
    header: t('People'),
    isNumeric: true,
    cell: ({ people, max_people }) =>
      t('{people, number} of {max, number}', { people: Number(people), max: Number(max_people) }),
  },
  {
    header: t('Created'),
    cell: ({ created_at }) => <Time at={created_at} precision="day" />,
    isNowrap: true,
  },
  {
    header: t('Works until'),
    cell: ({ expires_at }) => (
      <>
        <TimeWithZone at={expires_at} />
        {expires_at <= now && <span class="sub">{t('Expired. People who used it keep their access.')}</span>}
      </>
    ),
  },
  {
    header: t('Actions'),
    isActions: true,
    cell: ({ id, name, people }) => (
      <Confirm
        action={`${path}/${id}/revoke`}
        title={t('Revoke {name}?', { name: isolated(name) })}
        confirm={t('Revoke link')}
        openerLabel={t('Revoke link… {name}', { name })}
        small
      >
        <p>
          {t(
            '{people, plural, =0 {Nobody has used the link.} one {One person loses their access immediately.} other {# people lose their access immediately.}} Claims that they have made stay redeemable.',
            { people: Number(people) },
          )}
        </p>
      </Confirm>
    ),
  },
];

const NewLink = ({ of, form }: Pick<LinksPageProps, 'of' | 'form'>) => (
  <section class="section" aria-labelledby="new-link">
    <h2 id="new-link" class="end-space">
      {t('New link')}
    </h2>
    <Form form={form} action={of.path}>
      <FormId form={form} />
      <TextField
        form={form}
        name="name"
        label={t('Name')}
        hint={t('Such as “Newsletter”. Only you and the operators see it. At most {max} characters.', {
          max: MAX_LINK_NAME_LENGTH,
        })}
        autocomplete="off"
      />
      <NumberField
        form={form}
        name="people"
        label={t('People')}
        hint={t('How many people can use the link, at most {max, number}.', { max: MAX_PEOPLE_OF_LINK })}
      />
      <NumberField
        form={form}
        name="days"
        label={t('Days')}
        hint={t('How long the link can be used, at most {max} days. People who used it keep their access.', {
          max: MAX_DAYS_OF_LINK,
        })}
      />
      <p class="soft-text">
        {t('At most {max} links can be open at the same time.', { max: MAX_ACCESS_LINKS })}
      </p>
      <FormActions>
        <Button tone="primary">{t('Create link')}</Button>
      </FormActions>
    </Form>
  </section>
);
