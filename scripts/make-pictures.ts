import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { replaceFile } from './replace-files.ts';

// Writes a PNG beside every SVG of fixtures/assets, for clients that show no SVG, except the icon of the pages.
// Needs the fonts
// Liberation Sans and Liberation Serif (Debian: fonts-liberation), which stand in for those that the posters name.

const folder = fileURLToPath(new URL('../fixtures/assets/', import.meta.url));

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.svg') || file === 'icon.svg') continue;
  // Few colors and no metadata: the pictures are flat, and the same source gives the same bytes.
  const png = sharp(`${folder}${file}`).png({ palette: true, colours: 128, compressionLevel: 9, effort: 10 });
  replaceFile(`${folder}${file.replace(/\.svg$/, '.png')}`, await png.toBuffer());
}
