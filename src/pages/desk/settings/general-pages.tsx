import type { Brand } from '../../../base/brand/brand.ts';
import { changeBrand } from '../../../base/brand/change.ts';
import type { Context } from '../../../base/context.ts';
import { OFFERED_LANGUAGES } from '../../../platform/languages/language.ts';
import { pick } from '../../../platform/text/fields.ts';
import { DEFAULT_TIME_ZONE } from '../../../platform/text/time-zone.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { SeenValues } from '../../ui/stale-form.tsx';
import { GENERAL_PATH } from '../paths.ts';
import {
  addSettings,
  BrandFromEnvironment,
  brandControls,
  brandIn,
  FormSection,
  SettingsPage,
  showSettings,
  textsOf,
} from './parts.tsx';

export function generalDeskPages(app: PageRouter, context: Context): void {
  const { marketplace } = context;
  addSettings(app, {
    path: GENERAL_PATH,
    read: () => marketplace.brand,
    texts: (brand) => ({
      ...textsOf(pick(brand, FIELDS)),
      contact: brand.contact?.replace(/^mailto:/, '') ?? '',
    }),
    parse: (form, saved) => brandIn(form, saved, FIELDS),
    save: (brand, change) => changeBrand(context, { brand, ...change }),
    show: (c, form, isSaved) => {
      const { brand, first } = marketplace;
      return showSettings(c, GENERAL_PATH, form, <GeneralPage {...{ form, brand, first, isSaved }} />);
    },
  });
}

const FIELDS: readonly (keyof Brand)[] = [
  'language',
  'timeZone',
  'contact',
  'imprint',
  'privacy',
  'terms',
  'termsChangedOn',
  'asksConsent',
  'footer',
  'showsSoftware',
];

interface GeneralPageProps {
  readonly form: FormState;
  readonly brand: Brand;
  readonly first: Brand;
  readonly isSaved: boolean;
}

function GeneralPage({ form, brand, first, isSaved }: GeneralPageProps) {
  const control = brandControls(form);
  return (
    <SettingsPage
      path={GENERAL_PATH}
      lead="How people reach you, the terms that they accept, and the language and time zone of pages and emails. Changes apply as soon as you save."
      saved={isSaved && 'The settings are saved.'}
    >
      <div class="columns">
        <Form form={form} action={GENERAL_PATH}>
          <SeenValues form={form} />
          <LanguageFields control={control} brand={brand} />
          <ContactFields control={control} />
          <TermsFields control={control} />
          <FooterFields control={control} />
          <FormActions>
            <Button tone="primary">Save settings</Button>
          </FormActions>
        </Form>
        <BrandFromEnvironment fields={FIELDS} {...{ first, brand }} />
      </div>
    </SettingsPage>
  );
}

interface FieldsProps {
  readonly control: ReturnType<typeof brandControls>;
}

const LanguageFields = ({ control, brand }: FieldsProps & { brand: Brand }) => (
  <FormSection title="Language and time">
    <SelectField
      {...control('language')}
      hint="The language of pages and emails. The desk, the setup page, the documentation and the API reference are always in English."
      choices={OFFERED_LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
    />
    <SelectField
      {...control('timeZone')}
      hint="Used for days and times on pages, in filters and in charts, and for the start and end dates of offers. Visits and claims that have already been counted keep their dates."
      choices={zonesWith(brand.timeZone).map((zone) => ({ value: zone, label: zone }))}
    />
  </FormSection>
);

const ContactFields = ({ control }: FieldsProps) => (
  <FormSection title="Contact and legal pages">
    <TextField
      {...control('contact')}
      hint="An email address or the https address of a page. Shown on every page, at the end of every email, and in messages that tell people to contact you."
      mono
    />
    <TextField {...control('imprint')} label="Link to the legal notice (imprint)" hint={DOCUMENT_HINT} mono />
    <TextField {...control('privacy')} label="Link to the privacy policy" hint={DOCUMENT_HINT} mono />
  </FormSection>
);

const TermsFields = ({ control }: FieldsProps) => (
  <FormSection title="Terms">
    <TextField
      {...control('terms')}
      label="Link to the terms"
      hint="An https address. The forms for signing up and publishing ask people to accept the terms."
      mono
    />
    <TextField
      type="date"
      {...control('termsChangedOn')}
      hint="Owners who accepted an earlier version are asked again at their next visit. This date is stored with their consent."
    />
    <CheckboxField
      {...control('asksConsent')}
      label="Ask people to tick a box"
      hint="If off, the forms say that people accept the terms by continuing."
    />
  </FormSection>
);

const FooterFields = ({ control }: FieldsProps) => (
  <FormSection title="Footer">
    <TextAreaField
      {...control('footer')}
      hint="For example, the name of the company behind the marketplace. Shown on pages and in emails."
      rows={2}
    />
    <CheckboxField
      {...control('showsSoftware')}
      label="Say which software the marketplace runs on"
      hint="One small line, hidden while the marketplace has the same name as the software."
    />
  </FormSection>
);

const DOCUMENT_HINT = 'An https address. The link is at the end of every page and email.';

const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');

const zonesWith = (zone: string): readonly string[] =>
  [...new Set([DEFAULT_TIME_ZONE, zone, ...ZONES])].toSorted();
