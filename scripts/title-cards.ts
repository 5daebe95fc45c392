import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Records } from '../src/contract/generated/facts.ts';

/** The pictures of a live event's recording, as PNG. */
export interface Cards {
  /** The poster without its text, larger than the picture, so that it can move. */
  readonly background: Buffer;
  /** The name of the event, its hosts and the school, on a transparent ground. */
  readonly title: Buffer;
  /** A page of the presentation. */
  readonly slide: Buffer;
}

type Person = Pick<Records['instructors'], 'name' | 'profilePhotoUrl'>;

/** What the cards show. */
export interface Shown {
  readonly event: Records['liveEvents'];
  readonly school: Records['schools'];
  readonly hosts: readonly Person[];
  readonly subject: string;
}

const [width, height] = [640, 360];
const font = 'font-family="\'Liberation Sans\', Arial, sans-serif"';

/** Draws the cards of a live event from its poster, the portraits of its hosts and the logo of the school. */
export async function drawCards(shown: Shown): Promise<Cards> {
  const poster = readAsset(shown.event.thumbnailUrl).replace(/ {2}<g font-family[^]*?<\/g>\n(?=<\/svg>)/, '');
  return {
    background: await sharp(Buffer.from(poster), { density: 90 }).resize(800, 450).png().toBuffer(),
    title: await drawn(titleOf(shown)),
    slide: await drawn(slideOf(shown)),
  };
}

function drawn(content: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

function titleOf({ event, school, hosts }: Shown): string {
  return `<defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0a1018" stop-opacity="0"/><stop offset=".45" stop-color="#0a1018" stop-opacity=".82"/><stop offset="1" stop-color="#0a1018" stop-opacity=".95"/></linearGradient></defs>
<rect y="150" width="${width}" height="210" fill="url(#shade)"/>
<rect x="32" y="226" width="5" height="46" rx="2.5" fill="${school.color ?? '#ffffff'}" stroke="#ffffff" stroke-width="1"/>
<text x="50" y="262" ${font} font-size="36" font-weight="700" fill="#fff">${event.name}</text>
${hosts.map((host, index) => portrait(host, index)).join('')}
${logo(school, 500)}`;
}

function portrait({ name, profilePhotoUrl }: Person, index: number): string {
  const x = 32 + index * 220;
  return `<clipPath id="host-${index}"><circle cx="${x + 22}" cy="314" r="22"/></clipPath>
<image x="${x}" y="292" width="44" height="44" href="${embedded(profilePhotoUrl)}" clip-path="url(#host-${index})"/>
<text x="${x + 56}" y="320" ${font} font-size="17" fill="#eef3f7">${name}</text>`;
}

function logo({ name, logoUrl = '' }: Shown['school'], x: number): string {
  return `<image x="${x + 64}" y="292" width="44" height="44" href="${embedded(logoUrl)}"/>
<text x="${x + 54}" y="320" ${font} font-size="14" fill="#eef3f7" text-anchor="end">${name}</text>`;
}

/** Lines of a presentation: bars stand for the text, so that they need no language. */
function slideOf({ event, school, subject }: Shown): string {
  const color = school.color ?? '#33475b';
  const bars = [300, 250, 320, 210].map(
    (long, row) =>
      `<circle cx="60" cy="${172 + row * 34}" r="6" fill="${color}"/><rect x="80" y="${165 + row * 34}" width="${long}" height="14" rx="7" fill="#c9d3dc"/>`,
  );
  return `<rect width="${width}" height="${height}" fill="#fbfcfd"/>
<rect width="${width}" height="14" fill="${color}"/>
<text x="48" y="76" ${font} font-size="32" font-weight="700" fill="#1c2733">${event.name}</text>
<text x="48" y="108" ${font} font-size="18" fill="#566575">${subject}</text>
<rect x="48" y="128" width="64" height="4" fill="${color}"/>
${bars.join('')}
<clipPath id="poster"><rect x="436" y="160" width="160" height="90" rx="8"/></clipPath>
<image x="436" y="160" width="160" height="90" href="${embedded(event.thumbnailUrl)}" clip-path="url(#poster)"/>
<image x="560" y="40" width="40" height="40" href="${embedded(school.logoUrl ?? '')}"/>`;
}

function embedded(path: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(readAsset(path)).toString('base64')}`;
}

function readAsset(path: string): string {
  return readFileSync(new URL(`../fixtures${path}`, import.meta.url), 'utf8');
}
