import type { PropsWithChildren } from 'hono/jsx';
import {
  BRAND_SETTINGS,
  type Brand,
  type BrandPictures,
  headlineOf,
  leadOf,
} from '../../../base/brand/brand.ts';
import type { Context } from '../../../base/context.ts';
import { BRAND_PATH, OUTBOX_PATH, SETTINGS_PATH } from '../../../base/paths.ts';
import { changeBrand } from '../../../base/settings/change-brand.ts';
import { type BrandPicture, changeBrandPicture } from '../../../marketplace/pictures/brand-picture.ts';
import { uploadField } from '../../../marketplace/pictures/picture.ts';
import { accentAdjustments, accentsOf } from '../../../platform/colour/accent.ts';
import { type Accent, DARK, LIGHT, LIGHT_ACCENT } from '../../../platform/colour/palette.ts';
import { inLanguage } from '../../../platform/languages/language.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { pick } from '../../../platform/text/fields.ts';
import type { Settings } from '../../../platform/text/setting.ts';
import { shortened } from '../../../platform/text/text-width.ts';
import { type PictureServices, receivePicture } from '../../editor/pictures.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { type PageContext, readForm, redirect } from '../../frame/pages.ts';
import { accentSheet } from '../../ui/assets.ts';
import { BrandLink } from '../../ui/brand-parts.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { More } from '../../ui/code.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PictureForm } from '../../ui/picture-form.tsx';
import { linkTo } from '../../ui/site.tsx';
import { editForm } from '../../ui/stale-form.tsx';
import { PreviewBox, Ticket } from '../../ui/ticket.tsx';
import {
  addSettings,
  BrandFromEnvironment,
  changeOf,
  type Sections,
  SettingsForm,
  settingsIn,
  textsOf,
} from './parts.tsx';

const PREVIEW_PATH = `${BRAND_PATH}/preview`;

const SECTIONS: Sections<Brand> = [
  [message('Name and look'), ['name', 'accent']],
  [message('Front page text'), ['headline', 'lead']],
];
const FIELDS = SECTIONS.flatMap(([, names]) => names);
const SETTINGS: Partial<Settings<Brand>> = pick(BRAND_SETTINGS, FIELDS);

export function brandDeskPages(app: PageRouter, context: Context, services: PictureServices): void {
  const { marketplace } = context;
  const content = (form: FormState, extraProps: Partial<BrandSettingsProps> = {}) => {
    const { brand, look, first } = marketplace;
    return <BrandSettings {...{ form, brand, first }} pictures={look} {...extraProps} />;
  };

  app.get(SETTINGS_PATH, { for: 'operator' }, (c) => redirect(c, BRAND_PATH));

  const show = addSettings(app, {
    path: BRAND_PATH,
    lead: message('How pages and emails present your marketplace. Changes apply as soon as you save.'),
    saved: message('The brand is saved.'),
    scripts: ['picture'],
    read: () => marketplace.brand,
    parse: (form, saved) => settingsIn(form, SETTINGS, saved),
    texts: brandTexts,
    save: (brand, change) => changeBrand(context, { brand, ...change }),
    content,
  });

  app.post(PREVIEW_PATH, { for: 'operator' }, async (c) => {
    const form = await readForm(c);
    const brand = settingsIn(form, SETTINGS, marketplace.brand);
    if (brand === null) return show(c, form);
    // The typed brand applies to the whole page, including the title, colours and footer.
    c.set('site', { ...c.get('site'), brand: { ...marketplace.look, ...brand } });
    return show(c, form, content(form, { brand, isPreview: true }));
  });

  pictureRoutes(app, context, services, (c, sent) =>
    show(c, sent.form, content(editForm(brandTexts(marketplace.brand)), { sent })),
  );
}

const brandTexts = (brand: Brand) => textsOf(pick(brand, FIELDS));

function pictureRoutes(
  app: PageRouter,
  context: Context,
  services: PictureServices,
  show: (c: PageContext, sent: NonNullable<BrandSettingsProps['sent']>) => Promise<Response>,
): void {
  for (const [name, picture] of Object.entries(BRAND_PICTURES)) {
    const path = `${BRAND_PATH}/pictures/${name}`;
    app.post(path, { for: 'operator' }, (c, viewer) =>
      receivePicture(
        c,
        picture.kind,
        services,
        (files) => changeBrandPicture(context, { ...picture, ...changeOf(viewer), files }),
        (form) => (form.isFine ? redirect(c, `${BRAND_PATH}?done#pictures`) : show(c, { name, form })),
      ),
    );

    app.post(`${path}/remove`, { for: 'operator' }, async (c, viewer) => {
      await readForm(c);
      await changeBrandPicture(context, { ...picture, ...changeOf(viewer), files: null });
      return redirect(c, `${BRAND_PATH}?done#pictures`);
    });
  }
}

interface BrandSettingsProps {
  readonly form: FormState;
  /** In a preview, the typed brand; otherwise the saved brand. */
  readonly brand: Brand;
  readonly first: Brand;
  readonly pictures: BrandPictures;
  /** The form of a rejected upload. */
  readonly sent?: { readonly name: string; readonly form: FormState } | undefined;
  readonly isPreview?: boolean;
}

const BrandSettings = ({ form, brand, first, pictures, sent, isPreview }: BrandSettingsProps) => (
  <>
    {isPreview && (
      <>
        {/* The link is also in the body, because the form script replaces the body and keeps the head. */}
        <link rel="stylesheet" href={accentSheet(brand.accent ?? LIGHT_ACCENT.accent).path} />
        <Notice tone="warn" title={t('This is a preview')}>
          {t(
            'This page shows the brand as you typed it. Nothing has been saved yet. <a>See an offer and an email</a>',
            { a: linkTo('#preview') },
          )}
        </Notice>
      </>
    )}
    <div class="columns">
      <Preview brand={{ ...pictures, ...brand }} isOpen={isPreview} />
      <BrandForm form={form} brand={brand} />
      <BrandFromEnvironment fields={FIELDS} {...{ first, brand }} />
    </div>
    <BrandPictureForms pictures={pictures} sent={sent} />
  </>
);

/** Keyed by the name in the upload path. */
const BRAND_PICTURES = {
  logo: { kind: 'logo', theme: 'light', label: message('Logo'), noun: message('logo') },
  'logo-dark': {
    kind: 'logo',
    theme: 'dark',
    label: message('Logo for dark themes'),
    noun: message('logo for dark themes'),
  },
  icon: { kind: 'icon', theme: 'light', label: message('Icon'), noun: message('icon') },
  'icon-dark': {
    kind: 'icon',
    theme: 'dark',
    label: message('Icon for dark themes'),
    noun: message('icon for dark themes'),
  },
} as const satisfies Readonly<Record<string, BrandPicture & Record<'label' | 'noun', Message>>>;

const BrandPictureForms = ({ pictures, sent }: Pick<BrandSettingsProps, 'pictures' | 'sent'>) => (
  <Section title={t('Logo and icon')} id="pictures">
    <div class="card stack">
      <p class="soft-text">
        {t(
          'The logo replaces the name in the header. The icon is shown in browser tabs, on home screens, and next to the name if you have no logo. Dark themes show the same pictures unless you add separate ones. Each picture is saved as soon as you upload it.',
        )}
      </p>
      <div class="picture-forms">
        {(['logo', 'icon'] as const).map((kind) => {
          const dark = `${kind}-dark` as const;
          const isOpen = sent?.name === dark || Boolean(pictures[kind]?.dark);
          return (
            <div>
              <BrandPictureForm name={kind} {...{ pictures, sent }} />
              <div class="top-space">
                <More summary={t(BRAND_PICTURES[dark].label)} isOpen={isOpen}>
                  <BrandPictureForm name={dark} {...{ pictures, sent }} />
                </More>
              </div>
            </div>
          );
        })}
      </div>
    </div>
  </Section>
);

type BrandPictureFormProps = Pick<BrandSettingsProps, 'pictures' | 'sent'> & {
  readonly name: keyof typeof BRAND_PICTURES;
};

function BrandPictureForm({ name, pictures, sent }: BrandPictureFormProps) {
  const { kind, theme, label, noun } = BRAND_PICTURES[name];
  return (
    <PictureForm
      {...uploadField(kind)}
      label={t(label)}
      noun={t(noun)}
      id={name}
      // The form for a dark theme needs no title, because the summary above the form has the same text.
      hasTitle={theme === 'light'}
      form={sent?.name === name ? sent.form : newForm()}
      action={`${BRAND_PATH}/pictures/${name}`}
      currentFiles={pictures[kind]?.[theme] ?? null}
      width={kind === 'icon' ? 64 : 200}
      empty={<p class="quiet-text">{t('picture|None yet')}</p>}
      theme={pictures[kind]?.[theme] ? theme : undefined}
      shownIn={pictures[kind]?.dark ? theme : undefined}
    />
  );
}

function BrandForm({ form, brand }: Pick<BrandSettingsProps, 'form' | 'brand'>) {
  const defaults = inLanguage(brand.language, () => ({
    headline: headlineOf({ headline: null }),
    lead: leadOf({ lead: null }),
  }));
  return (
    <SettingsForm
      form={form}
      path={BRAND_PATH}
      settings={SETTINGS}
      sections={SECTIONS}
      extras={{
        accent: {
          after: <ColourSample colour={brand.accent ?? LIGHT_ACCENT.accent} />,
          below: <Corrections accent={brand.accent} />,
        },
        headline: { placeholder: defaults.headline },
        lead: { placeholder: defaults.lead },
      }}
      save={t('Save brand')}
    >
      <Button formaction={PREVIEW_PATH}>{t('Update preview')}</Button>
    </SettingsForm>
  );
}

const ColourSample = ({ colour }: { colour: string }) => (
  <svg width="32" height="32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill={colour} />
  </svg>
);

const Corrections = ({ accent }: { accent: string | null }) => {
  const notes = accentAdjustments(accent);
  return notes.length === 0 ? null : (
    <Notice tone="warn" title={t('The colour is adjusted')}>
      <ul>
        {notes.map((note) => (
          <li>{t(note)}</li>
        ))}
      </ul>
    </Notice>
  );
};

const Preview = ({ brand, isOpen }: { brand: Brand & BrandPictures; isOpen: boolean | undefined }) => {
  const { light, dark } = accentsOf(brand.accent);
  const words = inLanguage(brand.language, wordsOfPreview);
  return (
    <PreviewBox title={t('Preview')} id="preview" isOpen={isOpen}>
      <div class="picture-forms">
        {(['light', 'dark'] as const).map((theme) => (
          <PreviewItem what={theme === 'light' ? t('Header, light theme') : t('Header, dark theme')}>
            <div class="header-sample" data-theme={theme}>
              <BrandLink brand={picturesIn(theme, brand)} href="/" />
            </div>
          </PreviewItem>
        ))}
        <PreviewItem what={t('Offer')}>
          <Ticket
            upright
            title={words.offer}
            meta="Calm Notes"
            stub={<span class="button primary">{words.claim}</span>}
          />
        </PreviewItem>
        <PreviewItem what={t('Email, light theme')}>
          <Swatch
            title={t('An email in the light theme')}
            name={brand.name}
            accent={light}
            theme={LIGHT}
            words={words}
          />
        </PreviewItem>
        <PreviewItem what={t('Email, dark theme')}>
          <Swatch
            title={t('An email in the dark theme')}
            name={brand.name}
            accent={dark}
            theme={DARK}
            words={words}
          />
        </PreviewItem>
      </div>
      <p class="soft-text top-space">
        {t('To see all emails with the saved brand, open the <a>email examples</a>.', {
          a: linkTo(`${OUTBOX_PATH}/previews`),
        })}
      </p>
    </PreviewBox>
  );
};

const PreviewItem = ({ what, children }: PropsWithChildren<{ what: string }>) => (
  <div>
    <p class="kind">{what}</p>
    {children}
  </div>
);

/** The pictures that a theme shows, whatever the theme of the page. */
function picturesIn(theme: 'light' | 'dark', { name, logo, icon }: Brand & BrandPictures) {
  const only = (picture: typeof logo) => picture && { light: picture[theme] ?? picture.light, dark: null };
  return { name, logo: only(logo), icon: only(icon) };
}

const wordsOfPreview = () => ({
  offer: t('20% off the first year'),
  claim: t('Claim offer'),
  subject: t('Your claim: {offer}', { offer: t('20% off') }),
  about: t('You claimed an offer from Calm Notes.'),
  use: t('Use it now'),
});

interface SwatchProps {
  readonly title: string;
  readonly name: string;
  readonly accent: Accent;
  readonly theme: typeof LIGHT | typeof DARK;
  readonly words: ReturnType<typeof wordsOfPreview>;
}

/** A miniature email, drawn as SVG because the email's theme may differ from the page's. */
const Swatch = ({ title, name, accent, theme, words }: SwatchProps) => (
  <svg class="swatch" viewBox="0 0 260 132" role="img" aria-label={title}>
    <rect x="0.5" y="0.5" width="259" height="131" rx="8" fill={theme.paper} stroke={theme['line-strong']} />
    <text x="16" y="24" font-size="13" font-weight="700" fill={accent['accent-ink']}>
      {shortened(name, 28)}
    </text>
    <rect x="10" y="34" width="240" height="88" rx="8" fill={theme.surface} stroke={theme.line} />
    <text x="22" y="57" font-size="12" font-weight="700" fill={theme.ink}>
      {words.subject}
    </text>
    <text x="22" y="75" font-size="11" fill={theme['ink-soft']}>
      {words.about}
    </text>
    <rect x="22" y="86" width="86" height="26" rx="6" fill={accent.accent} />
    <text x="65" y="103" font-size="11" font-weight="600" text-anchor="middle" fill={accent['on-accent']}>
      {words.use}
    </text>
  </svg>
);
