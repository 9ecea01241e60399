import type { PictureKind, ProposedPicture } from '../../../marketplace/pictures/picture.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Section } from '../../ui/card.tsx';
import { Picture, widthFor } from '../../ui/picture.tsx';
import { FaintNote } from '../../ui/picture-form.tsx';
import { Table } from '../../ui/table.tsx';
import { DecideProposal, type SentForm } from './decide.tsx';
import type { DeskListing } from './queries.ts';

/**
 * For a live listing: the pictures that await review, each next to the live picture, and the decision form.
 * `hasShortcuts`: whether the keyboard shortcuts apply to the pictures. True if no other change awaits review.
 */
export function ProposedPictures(
  props: DeskListing & { readonly sent: SentForm; readonly hasShortcuts: boolean },
) {
  const { pictures } = props;
  if (pictures.waiting.length === 0) return null;
  const changes = targetsOf(props).flatMap((target) => {
    const after = proposalFor(props, target)?.files;
    return after === undefined ? [] : [{ what: target.what, before: fileShownAt(props, target), after }];
  });
  return (
    <Section title={t('New pictures')} isStack>
      <PictureTable changes={changes} header={t('Proposed')} />
      <DecideProposal {...props} path="pictures" what={t('the new pictures')} />
    </Section>
  );
}

/** All pictures of a pending listing. If any of them is new, each picture is shown next to the live picture. */
export function SubmittedPictures(props: DeskListing) {
  const changes = targetsOf(props).flatMap((target) => {
    const before = fileShownAt(props, target);
    const after = proposalFor(props, target)?.files ?? before;
    return after === null ? [] : [{ what: target.what, before, after }];
  });
  if (changes.length === 0) return null;
  return (
    <Section title={t('Pictures')}>
      {props.pictures.waiting.length === 0 ? (
        <div class="card">
          <div class="pictures">
            {changes.map(({ what, after }) => (
              <figure>
                <ShownPicture files={after} alt="" />
                <figcaption class="hint">{what}</figcaption>
              </figure>
            ))}
          </div>
        </div>
      ) : (
        <PictureTable changes={changes} header={t('Submitted')} />
      )}
    </Section>
  );
}

type Files = ProposedPicture['files'];

interface PictureChange {
  readonly what: string;
  readonly before: Files | null;
  readonly after: Files;
}

const PictureTable = ({ changes, header }: { changes: readonly PictureChange[]; header: string }) => (
  <Table
    caption={t('Pictures')}
    rows={changes}
    columns={[
      { header: t('Picture'), isName: true, cell: ({ what }) => what },
      {
        header: t('Live'),
        cell: ({ what, before }) =>
          before === null ? (
            <span class="quiet-text">{t('none')}</span>
          ) : (
            <ShownPicture files={before} alt={t('{picture}: live', { picture: what })} />
          ),
      },
      {
        header,
        cell: ({ what, after }) => <ShownPicture files={after} alt={`${what}: ${header}`} />,
      },
    ]}
  />
);

const HEIGHT = 120;

const ShownPicture = ({ files, alt }: { files: Files; alt: string }) => (
  <>
    <Picture files={files} alt={alt} width={widthFor(files, HEIGHT)} />
    <FaintNote files={files} />
  </>
);

interface PictureTarget {
  readonly subjectId: string;
  readonly kind: PictureKind;
  readonly what: string;
}

const targetsOf = ({ listing, offers }: DeskListing): readonly PictureTarget[] => [
  { subjectId: listing.id, kind: 'icon', what: t('Icon') },
  { subjectId: listing.id, kind: 'cover', what: t('Cover picture') },
  ...offers.map(({ id, offer }) => ({
    subjectId: id,
    kind: 'offer' as const,
    what: t('Picture of “{name}”', { name: isolated(offer) }),
  })),
];

const fileShownAt = ({ pictures }: DeskListing, { subjectId, kind }: PictureTarget) =>
  pictures.shown.get(subjectId)?.[kind]?.files ?? null;

const proposalFor = ({ pictures }: DeskListing, target: PictureTarget): ProposedPicture | undefined =>
  pictures.waiting.find(({ subjectId, kind }) => subjectId === target.subjectId && kind === target.kind);
