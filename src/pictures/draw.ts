/** Draws an SVG that the service wrote. Only the process in `encoder-process.ts` runs this. */
import sharp from 'sharp';

/** The largest drawing. The image of a link preview, with about 0.8 megapixels, is far below it. */
const MAX_DRAWN_PIXELS = 4_000_000;

// Each process either draws or encodes, so the SVG decoder never runs on an upload.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });

/** The drawing as PNG, with the width and height that the SVG specifies. */
export const draw = (svg: string): Promise<Uint8Array> =>
  sharp(Buffer.from(svg), { limitInputPixels: MAX_DRAWN_PIXELS }).png({ compressionLevel: 9 }).toBuffer();
