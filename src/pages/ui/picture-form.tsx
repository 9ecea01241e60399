import type { Child } from 'hono/jsx';
import { t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import type { PictureFile } from '../../platform/network/picture-address.ts';
import { Button } from './button.tsx';
import { FileField, type FileFieldProps } from './field.tsx';
import { Form, FormActions } from './form.tsx';
import type { FormState } from './form-state.ts';
import { Picture } from './picture.tsx';
import { Badge } from './state-badge.tsx';

export const PICTURE_FIELD = 'picture';

interface PictureFormProps extends Pick<FileFieldProps, 'hint' | 'accept' | 'maxBytes' | 'tooLarge'> {
  /** The picture's name as a title, such as “Icon”. */
  readonly label: Words;
  /** The picture's name within a label, such as “icon”. */
  readonly noun: Words;
  readonly hasTitle?: boolean | undefined;
  readonly form: FormState;
  readonly id: string;
  /** Path for uploads. `<action>/remove` removes the shown picture; `<action>/take-back` withdraws the proposed one. */
  readonly action: string;
  readonly currentFiles: readonly PictureFile[] | null;
  readonly proposed?: {
    readonly files: readonly PictureFile[];
    readonly declinedReason: string | null;
  } | null;
  readonly width: number;
  readonly shape?: 'icon' | 'cover' | undefined;
  readonly empty: Child;
  /** Shows the picture on the background of this theme, regardless of the page's theme. */
  readonly theme?: 'light' | 'dark' | undefined;
  /** Set if the other theme shows a different picture. */
  readonly shownIn?: 'light' | 'dark' | undefined;
}

export function PictureForm(props: PictureFormProps) {
  const { label, form, id, action, currentFiles, proposed = null, width, shape } = props;
  const name = wordsOf(props.noun);
  return (
    <div class="picture-form" id={`${id}-part`} data-part>
      {props.hasTitle && <h3>{wordsOf(label)}</h3>}
      <div class="stack">
        <div class={props.theme === undefined ? 'pictures' : `pictures on-${props.theme}`}>
          <figure>
            {currentFiles === null ? (
              props.empty
            ) : (
              <Picture files={currentFiles} alt={t('Current {name}', { name })} {...{ width, shape }} />
            )}
            {proposed !== null && (
              <figcaption class="hint">
                {currentFiles === null ? t('No picture is live') : t('Live')}
              </figcaption>
            )}
          </figure>
          {proposed !== null && (
            <figure>
              <Picture files={proposed.files} alt={t('New {name}', { name })} {...{ width, shape }} />
              <figcaption class="hint">
                {proposed.declinedReason === null ? (
                  <Badge tone="warn">{t('In review')}</Badge>
                ) : (
                  <Badge tone="bad">{t('Declined')}</Badge>
                )}
              </figcaption>
            </figure>
          )}
        </div>
        <FaintNote files={proposed?.files ?? currentFiles} shownIn={props.shownIn} />
        {proposed?.declinedReason && (
          <p>
            {t('The operator declined the new picture: {q}', {
              q: <q dir="auto">{proposed.declinedReason}</q>,
            })}
          </p>
        )}
      </div>
      <Form form={form} action={action} idPrefix={id} hasFile>
        <FileField {...props} idPrefix={id} name={PICTURE_FIELD} label={t('New {name}', { name })} />
        <FormActions>
          <Button label={t('Upload {name}', { name })} small>
            {t('Upload')}
          </Button>
          {proposed !== null && (
            <Button
              form={`${id}-take-back`}
              label={t('Withdraw new picture: {name}', { name })}
              tone="quiet"
              small
            >
              {t('Withdraw new picture')}
            </Button>
          )}
          {currentFiles !== null && (
            <Button form={`${id}-remove`} label={t('Remove {name}', { name })} tone="danger" small>
              {t('Remove')}
            </Button>
          )}
        </FormActions>
      </Form>
      {proposed !== null && (
        <form method="post" action={`${action}/take-back`} id={`${id}-take-back`} hidden />
      )}
      {currentFiles !== null && <form method="post" action={`${action}/remove`} id={`${id}-remove`} hidden />}
    </div>
  );
}

/** Says that a picture lacks contrast in one of the themes. */
export const FaintNote = ({
  files,
  shownIn,
}: {
  files: readonly PictureFile[] | null;
  shownIn?: PictureFormProps['shownIn'];
}) => {
  const theme = files?.[0]?.faintIn;
  if (theme === undefined || (shownIn !== undefined && theme !== shownIn)) return null;
  return (
    <p class="hint">
      {theme === 'dark'
        ? t('This picture is hard to see in the dark theme, so it is shown on a light background there.')
        : t('This picture is hard to see in the light theme, so it is shown on a dark background there.')}
    </p>
  );
};
