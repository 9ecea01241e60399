import { t } from '../../languages/translate.ts';
import type { CreatedKeyOfMember, Member } from '../../members/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { KeysThatEnd } from '../../ui/keys-that-end.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { MEMBERS_PATH, removePath } from './members-page.tsx';

interface RemovePageProps {
  readonly member: Member;
  readonly keys: readonly CreatedKeyOfMember[];
  readonly form: FormState;
}

export const RemovePage = ({ member, keys, form }: RemovePageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Members'), MEMBERS_PATH]]} />}
      title={t('Remove {name}?', { name: isolated(member.name) })}
    />
    <Form form={form} action={removePath(member.id)}>
      <p>
        {t('{email} loses access immediately, on every device. Invitations from this person stop working.', {
          email: member.email,
        })}
      </p>
      {keys.length === 0 ? (
        <>
          <p class="soft-text">{t('This person created no API keys that still work.')}</p>
          <HiddenField name="keys" value="now" />
        </>
      ) : (
        <KeysThatEnd keys={keys} form={form} />
      )}
      <FormActions>
        <Button tone="danger-solid">{t('Remove')}</Button>
        <ButtonLink href={MEMBERS_PATH} tone="quiet">
          {t('Cancel')}
        </ButtonLink>
      </FormActions>
    </Form>
  </>
);
