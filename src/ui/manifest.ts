import { accentsOf } from '../colour/accent.ts';
import { LIGHT } from '../colour/palette.ts';
import { filesOf, PICTURE_TYPES, picturePath } from '../network/picture-address.ts';
import { iconOf } from './assets.ts';
import type { SiteBrand } from './viewer.ts';

export const MANIFEST_PATH = '/manifest.webmanifest';

const MAX_SHORT_NAME_LENGTH = 12;

/** For programs that ask for the icon without reading a page. */
export const faviconOf = ({ accent, icon }: SiteBrand): string =>
  icon === null ? iconOf(accent).path : picturePath(filesOf(icon.light, 'png')[0]!.name);

export const manifestOf = ({ name, language, accent, icon }: SiteBrand): object => ({
  name,
  lang: language,
  ...([...name].length <= MAX_SHORT_NAME_LENGTH && { short_name: name }),
  start_url: '/',
  display: 'browser',
  theme_color: accentsOf(accent).light.accent,
  background_color: LIGHT.paper,
  icons:
    icon === null
      ? [{ src: iconOf(accent).path, type: 'image/svg+xml', sizes: 'any' }]
      : filesOf(icon.light, 'png').map((file) => ({
          src: picturePath(file.name),
          type: PICTURE_TYPES.png,
          sizes: `${file.width}x${file.height}`,
        })),
});
