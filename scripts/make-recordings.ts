import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Records } from '../src/contract/generated/facts.ts';
import type { CollectionName } from '../src/sandbox/seed.ts';
import { replaceFile } from './replace-files.ts';
import { drawCards, type Cards } from './title-cards.ts';

// Makes the recordings of the demo's live events, in the clear: fixtures/media/<slug of the event>. Needs ffmpeg
// and Liberation Sans (Debian: ffmpeg, fonts-liberation). make-test-card.sh makes the one of all other events.

/** The hosts of each event, by name. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  'python-office-hours': ['Mira Okafor'],
  'debugging-clinic': ['Tomasz Wieliczko'],
  'microscopy-night': ['Leilani Kahananui'],
  'statistics-in-the-news': ['Farid Esmaili'],
  'genetics-weekend-seminar': ['Ingrid Solbakken'],
  'design-critique-circle': ['Owen Pryce-Maddox'],
  'spanish-conversation-hour': ['Lucía Barrenetxe'],
  'clube-de-retratos': ['Benedita Sampaio', 'Yara Figueirôa'],
  'plantao-de-duvidas': ['Caetano Albuquerque Lins'],
};

/** The roots of the chords, in hertz: each event has its own. */
const roots = [220, 196, 174.61, 207.65, 185, 233.08, 246.94, 164.81, 261.63];
const [seconds, framesPerSecond, segmentSeconds] = [12, 10, 4];

const exact = '-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact'.split(' ');
const encoding =
  `-c:v libx264 -profile:v main -preset slow -crf 36 -tune stillimage -pix_fmt yuv420p -g 40 -keyint_min 40 -sc_threshold 0 -x264-params threads=1 -c:a aac -ac 1 -ar 16000 -b:a 12k`.split(
    ' ',
  );

function read<N extends CollectionName>(name: N): readonly Records[N][] {
  const file = new URL(`../fixtures/demo/${name}.json`, import.meta.url);
  // The build checks the fixtures against the schema.
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Records[N][];
}

function found<R>(records: readonly R[], isIt: (record: R) => boolean): R {
  const record = records.find(isIt);
  if (record === undefined) throw new Error('A record of the demo data that the recordings show is missing.');
  return record;
}

/** A soft chord that swells and fades. */
function chord(root: number): string {
  const tones = [1, 1.25, 1.5, 2].map(
    (ratio, index) =>
      `0.05*sin(2*PI*${(root * ratio).toFixed(2)}*t)*(1+0.5*sin(2*PI*t/${4 + index}+${index}))`,
  );
  return `aevalsrc='(${tones.join('+')})*min(1,t/2)*min(1,(${seconds}-t)/2)':s=16000:d=${seconds}`;
}

const filters: Readonly<Record<'camera' | 'screen', string>> = {
  // The poster moves slowly behind the title, one pixel in each frame.
  camera: `[0:v]crop=640:360:x='round(t*${framesPerSecond})':y='round(t*3)'[moved];[moved][1:v]overlay[picture]`,
  // A line shows how far the talk is.
  screen: `[0:v]null[page];color=c=0x33475b:s=640x8:r=${framesPerSecond}[line];[page][line]overlay=x='-640+640*(t+0.1)/${seconds}':y=352[picture]`,
};

function ffmpeg(given: readonly string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...given], { stdio: 'inherit' });
}

function encode(
  folder: string,
  pictures: readonly string[],
  source: 'camera' | 'screen',
  root: number,
): void {
  mkdirSync(folder, { recursive: true });
  const inputs = pictures.flatMap((file) => ['-loop', '1', '-framerate', `${framesPerSecond}`, '-i', file]);
  const both = `${filters[source]};[picture]split[one][two];[one]null[high];[two]scale=320:180[low];[${pictures.length}:a]asplit[a][b]`;
  const mapping = '-map [high] -map [a] -map [low] -map [b]'.split(' ');
  const streams =
    `-f hls -hls_time ${segmentSeconds} -hls_playlist_type vod -master_pl_name master.m3u8`.split(' ');
  const sound = ['-f', 'lavfi', '-i', chord(root), '-t', `${seconds}`, '-filter_complex', both];
  const names = ['-var_stream_map', 'v:0,a:0,name:high v:1,a:1,name:low'];
  const files = ['-hls_segment_filename', `${folder}/%v-%d.ts`, `${folder}/%v.m3u8`];
  ffmpeg([...inputs, ...sound, ...mapping, ...exact, ...encoding, ...streams, ...names, ...files]);
  declareBandwidth(folder);
}

/** Writes what the fastest segment really takes; ffmpeg declares the sound alone. */
function declareBandwidth(folder: string): void {
  const file = join(folder, 'master.m3u8');
  const lines = readFileSync(file, 'utf8').split('\n');
  const declared = lines.map((line, index) => {
    const rendition = lines[index + 1]?.replace('.m3u8', '') ?? '';
    if (!line.startsWith('#EXT-X-STREAM-INF') || rendition === '') return line;
    const segments = readdirSync(folder).filter((name) => name.startsWith(`${rendition}-`));
    const largest = Math.max(...segments.map((name) => statSync(join(folder, name)).size));
    return line.replace(/BANDWIDTH=\d+/, `BANDWIDTH=${Math.floor((largest * 8) / segmentSeconds)}`);
  });
  replaceFile(file, declared.join('\n'));
}

async function make(slug: string, names: readonly string[], root: number): Promise<void> {
  const event = found(read('liveEvents'), (one) => one.slug === slug);
  const cards = await drawCards({
    event,
    school: found(read('schools'), ({ id }) => id === event.schoolId),
    hosts: names.map((name) => found(read('instructors'), (one) => one.name === name)),
    subject: found(read('products'), ({ id }) => id === event.productId).title,
  });
  const temporary = mkdtempSync(join(tmpdir(), 'cards-'));
  const written = (card: keyof Cards): string => {
    const file = join(temporary, `${card}.png`);
    replaceFile(file, cards[card]);
    return file;
  };
  const folder = fileURLToPath(new URL(`../fixtures/media/${slug}`, import.meta.url));
  rmSync(folder, { recursive: true, force: true });
  encode(join(folder, 'camera'), [written('background'), written('title')], 'camera', root);
  const ofEvent = read('liveEventSessions').filter(({ liveEventId }) => liveEventId === event.id);
  if (ofEvent.some(({ recordedSources }) => recordedSources.includes('screen')))
    encode(join(folder, 'screen'), [written('slide')], 'screen', root);
  const high = join(folder, 'camera/high.m3u8');
  const copying = '-c copy -bsf:a aac_adtstoasc -movflags +faststart'.split(' ');
  ffmpeg(['-i', high, ...copying, ...exact, join(folder, 'recording.mp4')]);
  rmSync(temporary, { recursive: true });
}

for (const [index, [slug, names]] of Object.entries(hosts).entries())
  await make(slug, names, roots[index] ?? 220);
