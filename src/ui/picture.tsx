import { filesOf, PICTURE_TYPES, type PictureFile, picturePath } from '../network/picture-address.ts';

interface PictureProps {
  /** In order of size within each format. */
  readonly files: readonly PictureFile[];
  /** `''` if the text next to it says the same. */
  readonly alt: string;
  /** In pixels of CSS; where there is less room, the picture shrinks. */
  readonly width: number;
  /** Visible when the page opens: it loads immediately. */
  readonly isFirst?: boolean;
}

/** A picture in the best format and size that the browser takes. Its place is kept free until it is loaded. */
export function Picture({ files, alt, width, isFirst = false }: PictureProps) {
  const plain = filesOf(files, 'png', 'jpg');
  const largest = plain.at(-1)!;
  const sizes = `(max-width: ${width}px) 100vw, ${width}px`;
  return (
    <picture>
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

const setOf = (files: readonly PictureFile[]): string =>
  files.map(({ name, width }) => `${picturePath(name)} ${width}w`).join(', ');
