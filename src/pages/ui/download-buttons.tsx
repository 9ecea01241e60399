import { t } from '../../platform/languages/translate.ts';
import { ButtonLink, type ButtonLinkProps } from './button.tsx';

interface DownloadButtonsProps<Format extends string> extends Pick<ButtonLinkProps, 'small' | 'tone'> {
  readonly formats: readonly Format[];
  /** May have a query. */
  readonly pathOf: (format: Format) => string;
  /** `CSV` becomes `Download CSV`. */
  readonly textOf?: (format: string) => string;
  readonly download?: boolean;
}

/** `csvStyleOf` in `src/pages/frame/downloads.ts` reads this parameter. */
const FOR_EXCEL = 'for=excel';

/** Offers each CSV file twice: as in the API, and with the separators that Excel expects. */
export const DownloadButtons = <Format extends string>({
  formats,
  pathOf,
  textOf,
  download = true,
  ...look
}: DownloadButtonsProps<Format>) => (
  <>
    {formats.map((format) => (
      <>
        <ButtonLink href={pathOf(format)} download={download} {...look}>
          {(textOf ?? downloadText)(format.toUpperCase())}
        </ButtonLink>
        {format === 'csv' && (
          <ButtonLink href={withParameter(pathOf(format))} download={download} {...look}>
            {t('CSV for Excel')}
          </ButtonLink>
        )}
      </>
    ))}
  </>
);

const downloadText = (format: string): string => t('file|Download {format}', { format });

const withParameter = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}${FOR_EXCEL}`;
