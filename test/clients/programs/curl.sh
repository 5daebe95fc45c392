#!/bin/sh
# A script with curl: so many processes at a time. Each call is retried with growing pauses, or after Retry-After.
set -u
stop=$(mktemp)
trap 'rm -f "$stop" "$stop".*' EXIT

# call SLOT OPERATION DATA
call() {
  reply=$stop.$1
  tries=0
  while [ $tries -lt 6 ] && [ ! -s "$stop" ]; do
    tries=$((tries + 1))
    status=$(curl --silent --max-time 25 --output "$reply" --dump-header "$reply.head" --write-out '%{http_code}' \
      -H "SERVICE-API-KEY: $SANDBOX_API_KEY" -H 'Content-Type: application/json' \
      -d "{\"data\":[{\"data\":$3}]}" "$SANDBOX_URL/public/$2") || status=lost
    case $status in
      200) return ;;
      401 | 403) echo refused >"$stop"; return ;;
      429 | 503) ;;
      lost | 408 | 5??) [ "$2" != submit-user-course-item ] || { echo "$2: no reply; it may have taken effect" >&2; return; } ;;
      *) echo "$2: HTTP $status" >&2; return ;;
    esac
    wait=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$reply.head" 2>/dev/null)
    pause=$(awk -v seed="$SANDBOX_SEED$1$tries" -v tries=$tries -v wait="$wait" \
      'BEGIN { srand(seed); print (wait != "" ? wait + rand() : 0.5 * 2 ^ tries * (0.5 + rand() / 2)) }')
    : >"$reply.head"
    sleep "$pause"
  done
}

slot=0
while read -r operation data; do
  slot=$((slot + 1))
  call $slot "$operation" "$data" &
  [ $((slot % $1)) -ne 0 ] || wait
done <<'END'
get-all-instructors {}
get-all-live-events {}
list-assignments {"courseIdentifier":{"type":"product-id","digitalProductId":"e14eab51f0b9dee5b286f9ec"}}
get-course-item-data {"courseItemId":"aba0ea4ed96bd4aae871b7ad"}
get-course-item-data {"courseItemId":"7f74be9fba4aeffdf4bbc75c"}
get-quiz-details {"quizId":"057ea992fc0a75d4ed8b54da"}
get-quiz-details {"quizId":"9d5afed5df87086d04584dbf"}
get-video-library {"filterTerm":"","pageNumber":1,"folderPath":"/"}
get-video-library {"filterTerm":"","pageNumber":2,"folderPath":"/"}
get-instructor-permission-presets {"pageNumber":1,"limit":4}
get-signed-url-data-for-live-event-session-playback {"liveEventSessionId":"9c5b7ed6df3621555e4a6e2e"}
get-live-event-session-processed-mp4 {"liveEventSessionId":"9c5b7ed6df3621555e4a6e2e"}
create-instructor-account {"instructorEmail":"ana@riverside-academy.example","instructorName":"Ana"}
create-instructor-account {"instructorEmail":"ben@riverside-academy.example","instructorName":"Ben"}
update-interactive-coding-lab {"labId":"26440e350ddc26b656f533f7","labTitle":"Word Frequency Counter"}
submit-user-course-item {"courseItemId":"b4c48ca14f96ae384539bbdc","details":{"courseItemType":"Quiz","questionsToUpsert":[{"questionUniqueId":"9242442aab74062991dc8a2a","newSelectedOptionIds":["5401a18d222a47fb3287a7e8"]}]},"userId":"44832448d6d4614ecd817cf1","userEmail":"joao.ferraz@students.riverside-academy.example","shouldMarkAsCompleted":true}
update-digital-product-coupon {"serviceCouponCodeId":"5bb6bf98e3b6a0f3c19b07c3","serviceDigitalProductId":"e14eab51f0b9dee5b286f9ec","couponTypeData":{"type":"percent-off","percentOff":25}}
get-course-item-data {"courseItemId":"9c7e1b0f7abc83c607544846"}
END
wait
