/**
 * Child process that draws and encodes the demo's pictures. One process for all of them, unlike the encoder's, because
 * starting a process takes longer than a picture and these pictures are trusted.
 */
import type { EncodedFile } from '../../marketplace/pictures/encode.ts';
import type { PictureKind } from '../../marketplace/pictures/picture.ts';

export interface Drawing {
  readonly kind: PictureKind;
  readonly svg: string;
}

async function encodeAll(drawings: readonly Drawing[]): Promise<readonly (readonly EncodedFile[])[]> {
  const { draw } = await import('../../marketplace/pictures/draw.ts');
  const pngs: Uint8Array[] = [];
  for (const { svg } of drawings) pngs.push(await draw(svg, []));
  // Imported after all are drawn, because it blocks the SVG decoder.
  const { encode } = await import('../../marketplace/pictures/encode.ts');
  const pictures: (readonly EncodedFile[])[] = [];
  for (const [index, png] of pngs.entries()) pictures.push(await encode(drawings[index]!.kind, png));
  return pictures;
}

process.once('message', async (drawings: readonly Drawing[]) =>
  process.send!(await encodeAll(drawings).catch(() => null)),
);
// The demo has stopped.
process.once('disconnect', () => process.exit());
