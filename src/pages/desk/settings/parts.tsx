/** Shared by the settings pages: routes, page frame, and the list of values that the environment sets. */

import type { Child } from 'hono/jsx';
import { BRAND_NAMES, BRAND_SETTINGS, type Brand, DEFAULT_BRAND } from '../../../base/brand/brand.ts';
import {
  ANNOUNCEMENT_PATH,
  BRAND_PATH,
  FRONT_PAGE_PATH,
  GENERAL_PATH,
  PEOPLE_PATH,
  PLANS_PATH,
  RETENTION_PATH,
} from '../../../base/paths.ts';
import type { SettingsChange, SettingsUpdate } from '../../../base/settings/change-settings.ts';
import { type Message, message, t, type Words, wordsOf } from '../../../platform/languages/translate.ts';
import type { Setting, SettingField, Settings } from '../../../platform/text/setting.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, type PageContext, page, readForm, redirect } from '../../frame/pages.ts';
import type { ScriptName } from '../../ui/assets.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DefinitionList, type Fact } from '../../ui/facts.tsx';
import {
  CheckboxField,
  type Choice,
  type FieldProps,
  NumberField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
  type TextFieldProps,
} from '../../ui/field.tsx';
import { Tabs } from '../../ui/filter-bar.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import { LocalTimeField } from '../../ui/local-time-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { editForm, mergeForm, refuseConflicts, SeenValues } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';

const LABELS = {
  [BRAND_PATH]: message('Brand'),
  [GENERAL_PATH]: message('Legal and language'),
  [FRONT_PAGE_PATH]: message('Front page'),
  [ANNOUNCEMENT_PATH]: message('Announcement'),
  [PEOPLE_PATH]: message('People and claims'),
  [PLANS_PATH]: message('Plans'),
  [RETENTION_PATH]: message('Retention'),
} as const;

type SettingsPath = keyof typeof LABELS;

interface SettingsFrame {
  readonly path: SettingsPath;
  readonly lead: Child | Message;
  /** The confirmation, shown after saving. */
  readonly saved: Child | Message;
  readonly scripts?: readonly ScriptName[];
}

interface SettingsRoutes<Values> extends SettingsFrame {
  /** A stolen session is not enough to change who has access, what is deleted, or which terms people accept. */
  readonly needsProof?: true;
  readonly read: () => Values | Promise<Values>;
  /** The fields of the form. */
  readonly texts?: (values: Values) => Readonly<Record<string, string>>;
  /** `null` if a field is invalid; the form then has the error. */
  readonly parse: (form: FormInput, stored: Values) => Values | null;
  readonly save: (update: SettingsUpdate<Values>, change: SettingsChange) => Promise<void>;
  readonly content: (form: FormState) => Child;
}

/**
 * Registers a settings page. The form shows the stored values. Submitting the form saves the fields that the person
 * edited; fields that somebody else has edited since the form was loaded keep their change. Returns a function that shows
 * the page with other content.
 */
export function addSettings<Values extends object>(app: PageRouter, routes: SettingsRoutes<Values>) {
  const { path, needsProof, read, texts = textsOf, parse, save } = routes;
  const show = (c: PageContext, form: FormState, content = routes.content(form)): Promise<Response> =>
    showSettings(c, routes, form, content);

  app.get(path, { for: 'operator' }, async (c) => show(c, editForm(texts(await read()))));

  app.post(path, { for: 'operator' }, async (c, viewer) => {
    const sent = await readForm(c);
    if (needsProof) await requireProof(c);
    let form = sent;
    await save((stored) => {
      const merge = mergeForm(sent, texts(stored));
      form = merge.form;
      const values = parse(form, stored);
      refuseConflicts(form, merge.conflicts);
      return form.isFine ? values : null;
    }, changeOf(viewer));
    return form.isFine ? redirect(c, `${path}?done`) : show(c, form);
  });

  return show;
}

export const changeOf = (viewer: Viewer): SettingsChange => ({
  operatorId: viewer.accountId,
  actor: actorOf(viewer),
});

export function showSettings(
  c: PageContext,
  { path, lead, saved, scripts = [] }: SettingsFrame,
  { status }: Pick<FormState, 'status'>,
  content: Child,
): Promise<Response> {
  const framed = (
    <>
      <PageHeader title={t('Settings')} lead={wordsOf(lead)} />
      <Tabs
        label={t('Settings')}
        tabs={Object.entries(LABELS).map(([href, label]) => ({ label, href, isCurrent: href === path }))}
      />
      <div class="stack-loose">
        {c.req.query('done') !== undefined && <Notice tone="good">{wordsOf(saved)}</Notice>}
        {content}
      </div>
    </>
  );
  return page(c, framed, { title: `${t(LABELS[path])} · ${t('Settings')}`, status, scripts });
}

/** Converts values to form fields. A list has one entry per line, and a ticked box is `yes`. */
export const textsOf = (values: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));

function textOf(value: unknown): string {
  if (value === null || value === false) return '';
  if (value === true) return 'yes';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** Parses `settings` and takes the other values from `stored`; `null` if one of the texts is invalid. */
export function settingsIn<Values extends object>(
  form: FormInput,
  settings: Partial<Settings<Values>>,
  stored: Values,
): Values | null {
  const parsers = Object.entries(settings as Settings<Values>).map(([name, setting]) => [
    name,
    (text: string) => (setting as Setting).parse(text, (other) => form.text(other)),
  ]);
  const typed = form.read(Object.fromEntries(parsers));
  return typed && { ...stored, ...typed };
}

/** What a page adds to a setting, or replaces. */
type Extras = Partial<Pick<FieldProps, 'label' | 'hint'> & Pick<TextFieldProps, 'after' | 'placeholder'>> & {
  readonly choices?: readonly Choice[];
  /** Content below the control. */
  readonly below?: Child;
};

interface SettingControlProps extends Extras {
  readonly form: FormState;
  readonly name: string;
  readonly setting: SettingField & { readonly initial?: unknown };
}

export function SettingControl({ setting, below, ...extras }: SettingControlProps) {
  const {
    control,
    optional = (setting.initial ?? null) === null,
    after,
    placeholder,
    ...rest
  } = { choices: [], ...setting, ...extras };
  const props = {
    ...rest,
    optional,
    ...(after !== undefined && { after: wordsOf(after) }),
    ...(placeholder !== undefined && { placeholder: wordsOf(placeholder) }),
  };
  return (
    <>
      {control === 'toggle' && <CheckboxField {...props} />}
      {control === 'choice' && <RadioField {...props} boxed />}
      {control === 'select' && <SelectField {...props} />}
      {control === 'text' && <TextAreaField {...props} />}
      {control === 'number' && <NumberField {...props} />}
      {control === 'time' && <LocalTimeField {...props} />}
      {(control === undefined || control === 'date') && <TextField {...props} type={control} />}
      {below}
    </>
  );
}

/** The names of the settings of each section. */
export type Sections<Values> = readonly (readonly [
  title: Message,
  names: readonly (keyof Values & string)[],
])[];

interface SettingsFormProps<Values> {
  readonly form: FormState;
  readonly path: SettingsPath;
  readonly settings: Partial<Settings<Values>>;
  readonly sections: Sections<Values>;
  readonly extras?: { readonly [Name in keyof Values]?: Extras };
  /** Label of the button that saves. */
  readonly save?: string;
  /** Further actions. */
  readonly children?: Child;
}

/** Omits settings that are not in `settings`, and empty sections. */
export function SettingsForm<Values>(props: SettingsFormProps<Values>) {
  const { form, path, settings, sections, extras, save = t('Save settings'), children } = props;
  return (
    <Form form={form} action={path}>
      <SeenValues form={form} />
      {sections.map(([title, names]) => {
        const visibleNames = names.filter((name) => settings[name] !== undefined);
        return (
          visibleNames.length > 0 && (
            <Card title={t(title)}>
              <div class="form">
                {visibleNames.map((name) => (
                  <SettingControl {...{ form, name }} setting={settings[name]!} {...extras?.[name]} />
                ))}
              </div>
            </Card>
          )
        );
      })}
      <FormActions>
        <Button tone="primary">{save}</Button>
        {children}
      </FormActions>
    </Form>
  );
}

interface EnvironmentValue {
  readonly label: Words;
  readonly value: Child;
  /** Names of the environment variables that set the value. */
  readonly settings: readonly string[];
  readonly note?: string | false;
}

export const FromEnvironment = (props: { values: readonly EnvironmentValue[]; children?: Child }) => (
  <aside class="stack form">
    <Card title={t('Set in the environment')} id="environment" isStack>
      <DefinitionList facts={props.values.map(factOf)} />
      {props.children}
    </Card>
  </aside>
);

const factOf = ({ label, value, settings, note }: EnvironmentValue): Fact => [
  wordsOf(label),
  <>
    {value}
    <p class="hint">
      {settings.map((name, index) => (
        <>
          {index > 0 && ', '}
          <code>{name}</code>
        </>
      ))}
    </p>
    {note && <p class="hint">{note}</p>}
  </>,
];

interface BrandFromEnvironmentProps {
  readonly fields: readonly (keyof Brand)[];
  /** The brand from the environment and the defaults, without changes by operators. */
  readonly first: Brand;
  readonly brand: Brand;
}

/** Lists the values of `fields` that the environment sets. */
export function BrandFromEnvironment({ fields, first, brand }: BrandFromEnvironmentProps) {
  const set = fields.filter((field) => first[field] !== DEFAULT_BRAND[field]);
  if (set.length === 0) return null;
  return (
    <FromEnvironment
      values={set.map((field) => {
        const setting = BRAND_SETTINGS[field].environment;
        const isReplaced = field !== 'contact' && first[field] !== brand[field];
        const ownValue = shownValue(first[field]) ?? '';
        const value = isReplaced
          ? t('{value}, replaced by the value saved here', { value: ownValue })
          : ownValue;
        return {
          label: BRAND_NAMES[field],
          value,
          settings: [setting],
          note:
            field === 'contact' &&
            t(
              'Where people report vulnerabilities. Pages and emails also show this contact until you save another.',
            ),
        };
      })}
    />
  );
}

const shownValue = (value: Brand[keyof Brand]) =>
  typeof value === 'boolean' ? (value ? t('on') : t('off')) : value?.replace(/^mailto:/, '');
