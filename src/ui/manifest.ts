/** The web app manifest: how a phone names and shows the marketplace on its home screen. */
import { accentsOf } from '../colour/accent.ts';
import { LIGHT } from '../colour/palette.ts';
import { iconOf } from './assets.ts';
import type { SiteBrand } from './viewer.ts';

export const MANIFEST_PATH = '/manifest.webmanifest';

const MAX_SHORT_NAME_LENGTH = 12;

export const manifestOf = ({ name, accent }: SiteBrand): object => ({
  name,
  ...([...name].length <= MAX_SHORT_NAME_LENGTH && { short_name: name }),
  start_url: '/',
  display: 'browser',
  theme_color: accentsOf(accent).light.accent,
  background_color: LIGHT.paper,
  icons: [{ src: iconOf(accent).path, type: 'image/svg+xml', sizes: 'any' }],
});
