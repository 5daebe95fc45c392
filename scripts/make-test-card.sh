#!/bin/sh
# Makes fixtures/media/test-card: the recording of live events without one of their own, in the clear. Needs ffmpeg and the font DejaVu Sans Mono (Debian: ffmpeg, fonts-dejavu-core).
set -eu
cd "$(dirname "$0")/.."
font=/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf
clock="fontfile=$font:fontcolor=white:box=1:boxcolor=black@0.8:boxborderw=12:x=(w-tw)/2"
exact='-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact'
video='-c:v libx264 -profile:v main -preset veryslow -crf 36 -pix_fmt yuv420p -g 40 -keyint_min 40 -sc_threshold 0 -x264-params threads=1'
audio='-c:a aac -ac 1 -ar 32000'
seconds=12

# make SOURCE PICTURE TONE: two renditions, segments of 4 s, and their playlists.
make() {
  folder=fixtures/media/test-card/$1
  rm -rf "$folder"
  mkdir -p "$folder"
  ffmpeg -v error -f lavfi -i "$2" -f lavfi -i "sine=frequency=$3:sample_rate=32000" -t $seconds -filter_complex "
      [0:v]drawtext=$clock:y=h*0.36:fontsize=h/9:text='$1',drawtext=$clock:y=h*0.56:fontsize=h/7:text='%{pts\:hms}',split=2[one][two];
      [one]scale=640:360[high];[two]scale=320:180[low];[1:a]volume=0.2,asplit=2[a][b]" \
    -map '[high]' -map '[a]' -map '[low]' -map '[b]' $exact $video $audio -b:a:0 32k -b:a:1 24k \
    -f hls -hls_time 4 -hls_playlist_type vod -var_stream_map 'v:0,a:0,name:high v:1,a:1,name:low' \
    -hls_segment_filename "$folder/%v-%d.ts" -master_pl_name master.m3u8 "$folder/%v.m3u8"
  # What the fastest segment really takes; ffmpeg tells of the sound alone.
  for rendition in high low; do
    largest=$(stat -c %s "$folder/$rendition"-*.ts | sort -n | tail -n 1)
    sed -i "/BANDWIDTH/{N;/$rendition/s/BANDWIDTH=[0-9]*/BANDWIDTH=$((largest * 8 / 4))/}" "$folder/master.m3u8"
  done
}

make camera 'smptehdbars=size=640x360:rate=10' 440
make screen 'color=c=midnightblue:size=640x360:rate=10,drawgrid=w=80:h=60:c=white@0.4' 660
ffmpeg -v error -y -i fixtures/media/test-card/camera/high.m3u8 -c copy -bsf:a aac_adtstoasc $exact -movflags +faststart fixtures/media/test-card/recording.mp4
