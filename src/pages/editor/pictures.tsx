import type { Context } from '../../base/context.ts';
import {
  addPicture,
  dropPicture,
  type OfPicture,
  takeBackPicture,
} from '../../marketplace/listings/pictures.ts';
import type { Listing } from '../../marketplace/listings/queries.ts';
import type { EncodedFile } from '../../marketplace/pictures/encode.ts';
import type { PictureEncoder } from '../../marketplace/pictures/encoder.ts';
import { type PictureKind, type ProposedPicture, uploadField } from '../../marketplace/pictures/picture.ts';
import {
  findPictures,
  findProposedPictures,
  type ShownPictures,
} from '../../marketplace/pictures/queries.ts';
import { message, t } from '../../platform/languages/translate.ts';
import type { Queryable } from '../../platform/store/database.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, readForm, redirect } from '../frame/pages.ts';
import type { Uploads } from '../frame/uploads.ts';
import { Card, Section } from '../ui/card.tsx';
import { type FormInput, newForm } from '../ui/form-state.ts';
import { Monogram } from '../ui/monogram.tsx';
import { PICTURE_FIELD, PictureForm } from '../ui/picture-form.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { type EditPage, type SentPicture, showEdited } from './edit-page.ts';

export interface PictureServices {
  readonly pictureEncoder: PictureEncoder;
  readonly uploads: Uploads;
}

export interface OwnPictures {
  readonly current: ShownPictures;
  readonly proposed: readonly ProposedPicture[];
}

export async function readOwnPictures(
  db: Queryable,
  listing: Pick<Listing, 'id'>,
  subjectId = listing.id,
): Promise<OwnPictures> {
  const [current, proposed] = await Promise.all([
    findPictures(db, [subjectId]),
    findProposedPictures(db, [listing.id]),
  ]);
  return {
    current: current.get(subjectId) ?? {},
    proposed: proposed.filter((picture) => picture.subjectId === subjectId),
  };
}

interface PicturesProps {
  readonly pictures: OwnPictures;
  readonly kinds: readonly PictureKind[];
  /** Path of the page, and prefix of the picture routes. */
  readonly path: string;
  /** Shown as initials if there is no icon. */
  readonly name: string;
  readonly listing: Pick<Listing, 'origin'>;
  readonly sent: SentPicture | null;
}

export const Pictures = (props: PicturesProps) =>
  props.kinds.length === 1 ? (
    <Card title={t('Picture')} id="pictures">
      <PictureForms {...props} />
    </Card>
  ) : (
    <Section title={t('Pictures')} id="pictures">
      <div class="card">
        <PictureForms {...props} />
      </div>
    </Section>
  );

const PictureForms = ({ pictures, kinds, path, name, listing, sent }: PicturesProps) => (
  <div class="stack">
    <p class="soft-text">
      {listing.origin === null
        ? t('The operator reviews pictures with the listing.')
        : t(
            'The operator reviews new pictures. Until a new picture is approved, people see the previous one. You can remove a picture at any time.',
          )}
    </p>
    <div class="picture-forms">
      {kinds.map((kind) => (
        <PictureForm
          {...uploadField(kind)}
          id={kind}
          hasTitle={kinds.length > 1}
          form={sent?.kind === kind ? sent.form : newForm()}
          action={`${path}/pictures/${kind}`}
          currentFiles={pictures.current[kind]?.files ?? null}
          proposed={pictures.proposed.find((picture) => picture.kind === kind) ?? null}
          width={kind === 'icon' ? 96 : 240}
          shape={kind === 'icon' ? 'icon' : 'cover'}
          empty={
            kind === 'icon' ? (
              <Monogram name={name} size={96} />
            ) : (
              <div class="no-picture hint">{t('No picture yet')}</div>
            )
          }
        />
      ))}
    </div>
  </div>
);

/** Receives an upload, and passes the files of the picture to `save`. `respond` gets the form, with any error. */
export const receivePicture = (
  c: PageContext,
  kind: PictureKind,
  { pictureEncoder, uploads }: PictureServices,
  save: (files: readonly EncodedFile[]) => Promise<unknown>,
  respond: (form: FormInput) => Response | Promise<Response>,
): Promise<Response> =>
  uploads(c, { field: PICTURE_FIELD, ...uploadField(kind) }, async ({ form, file }) => {
    if (file === null) form.refuse(PICTURE_FIELD, message('Choose a picture first.'));
    else await form.attempt(PICTURE_FIELD, async () => save(await pictureEncoder.encode(kind, file)));
    return respond(form);
  });

export function addPictureRoutes<Thing, Input>(
  app: PageRouter,
  context: Context,
  page: EditPage<Thing, Input>,
  services: PictureServices,
  pictures: {
    readonly kinds: readonly PictureKind[];
    readonly of: (thing: Thing, viewer: Viewer, kind: PictureKind) => OfPicture;
  },
): void {
  for (const kind of pictures.kinds) {
    const path = `${page.route}/pictures/${kind}`;

    app.post(path, { for: 'member' }, async (c, viewer) => {
      const thing = await page.read(c, viewer);
      const save = (files: readonly EncodedFile[]) =>
        addPicture(context, { ...pictures.of(thing, viewer, kind), files });
      return receivePicture(c, kind, services, save, async (form) => {
        if (form.isFine) return redirect(c, `${page.path(thing)}?saved#pictures`);
        const status = form.status === 429 ? 429 : 422;
        return showEdited(c, viewer, page, await page.read(c, viewer), {
          picture: { kind, form },
          status,
        });
      });
    });

    for (const [name, verb] of [
      ['remove', dropPicture],
      ['take-back', takeBackPicture],
    ] as const) {
      app.post(`${path}/${name}`, { for: 'member' }, async (c, viewer) => {
        await readForm(c);
        const thing = await page.read(c, viewer);
        await verb(context, pictures.of(thing, viewer, kind));
        return redirect(c, `${page.path(thing)}?saved#pictures`);
      });
    }
  }
}
