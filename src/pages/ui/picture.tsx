import {
  filesOf,
  PICTURE_TYPES,
  type PictureFile,
  picturePath,
  type ThemedPicture as Themed,
} from '../../platform/network/picture-address.ts';
import { tokenList } from './markup.ts';
import { Monogram } from './monogram.tsx';
import { useDarkMedia } from './site.tsx';

interface PictureProps {
  /** Smallest first within each format. */
  readonly files: readonly PictureFile[];
  /** Empty if the text next to the picture has the same meaning. */
  readonly alt: string;
  /** Maximum width in CSS pixels. The picture shrinks if there is less space. */
  readonly width: number;
  /** Loads immediately instead of lazily. For pictures that are visible when the page opens. */
  readonly isFirst?: boolean;
  /** Corners as round as an app icon's or a card's. */
  readonly shape?: 'icon' | 'cover' | undefined;
}

/** Offers several formats and sizes to the browser, and reserves space for the picture while it loads. */
export function Picture({ files, alt, width, isFirst = false, shape }: PictureProps) {
  const plain = filesOf(files, 'png', 'jpg');
  const largest = plain.at(-1)!;
  const sizes = `(max-width: ${width}px) 100vw, ${width}px`;
  return (
    <picture class={tokenList(shape, plateOf(files[0]?.faintIn))}>
      {(['avif', 'webp'] as const).map((format) => (
        <source type={PICTURE_TYPES[format]} srcset={setOf(filesOf(files, format))} sizes={sizes} />
      ))}
      <img
        src={picturePath(largest.name)}
        srcset={setOf(plain)}
        sizes={sizes}
        width={width}
        height={Math.round((width * largest.height) / largest.width)}
        alt={alt}
        loading={isFirst ? 'eager' : 'lazy'}
        decoding="async"
      />
    </picture>
  );
}

/** Class of a picture that is shown on a plate in this theme. */
const plateOf = (theme: keyof Themed | undefined): string | undefined => theme && `faint-in-${theme}`;

const setOf = (files: readonly PictureFile[]): string =>
  files.map(({ name, width }) => `${picturePath(name)} ${width}w`).join(', ');

type Files = readonly PictureFile[];

/** A brand picture that matches the page's theme. `height` and `most` (the maximum width) are in CSS pixels. */
export function ThemedPicture(props: {
  readonly picture: Themed;
  readonly alt: string;
  readonly height: number;
  readonly most: number;
}) {
  const { light, dark } = props.picture;
  const width = Math.min(widthFor(light, props.height), props.most);
  const sizes = `${width}px`;
  const darkMedia = useDarkMedia();
  const sources = [
    ...(dark === null || darkMedia === null ? [] : [[dark, darkMedia] as const]),
    [light, undefined] as const,
  ];
  const plain = filesOf(light, 'png', 'jpg');
  return (
    <picture
      class={tokenList(
        'themed',
        light[0]?.faintIn === 'light' && plateOf('light'),
        (dark ?? light)[0]?.faintIn === 'dark' && plateOf('dark'),
      )}
    >
      {sources.flatMap(([files, media]) =>
        (['avif', 'webp', ...(media === undefined ? [] : (['png'] as const))] as const).map((format) => (
          <source
            type={PICTURE_TYPES[format]}
            srcset={setOf(filesOf(files, format))}
            media={media}
            sizes={sizes}
          />
        )),
      )}
      <img
        src={picturePath(plain.at(-1)!.name)}
        srcset={setOf(plain)}
        sizes={sizes}
        width={width}
        height={Math.max(1, Math.round((width * light[0]!.height) / light[0]!.width))}
        alt={props.alt}
      />
    </picture>
  );
}

/** An app's icon or initials. `alt` is empty, because the name is next to it. `size`: CSS pixels. */
export const Face = ({ name, icon, size }: { name: string; icon: Files | null; size: number }) =>
  icon === null ? (
    <Monogram name={name} size={size} />
  ) : (
    <Picture files={icon} alt="" width={size} shape="icon" isFirst />
  );

/** Width of a picture that is scaled to `height`. Both are in CSS pixels. */
export const widthFor = (files: Files, height: number): number =>
  Math.round((height * files[0]!.width) / files[0]!.height);
