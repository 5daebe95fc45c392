import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A client with Java's HttpClient: one call after another with send(), or several at a time with sendAsync(). */
public class PlatformClient {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
    private static final Random RANDOM = new Random(Long.parseLong(System.getenv("SANDBOX_SEED")));
    private static final int TRIES = 6;
    private static volatile boolean refused = false;

    private record Call(String operation, String element) {}

    /** What to do after a reply: a pause in milliseconds before the next try, or -1 for none. */
    private static long pauseAfter(Call call, HttpResponse<String> reply, Throwable error, int failures) {
        boolean isUnsafe = call.operation.equals("submit-user-course-item");
        long backoff = (long) (500 * Math.pow(2, failures) * (0.5 + RANDOM.nextDouble() / 2));
        if (failures == TRIES) return -1;
        if (error != null) return isUnsafe ? -1 : backoff;
        int status = reply.statusCode();
        if (status == 401 || status == 403) refused = true;
        if (status == 429 || status == 503)
            return reply.headers().firstValue("Retry-After").map(text -> Long.parseLong(text) * 1000 + RANDOM.nextInt(1000)).orElse(backoff);
        if (status >= 500 || status == 408) return isUnsafe ? -1 : backoff;
        return -1;
    }

    private static HttpRequest requestOf(Call call) {
        return HttpRequest.newBuilder(URI.create(System.getenv("SANDBOX_URL") + "/public/" + call.operation))
            .header("SERVICE-API-KEY", System.getenv("SANDBOX_API_KEY"))
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(25))
            .POST(HttpRequest.BodyPublishers.ofString("{\"data\":[{\"data\":" + call.element + "}]}"))
            .build();
    }

    private static void now(Call call) throws InterruptedException {
        for (int failures = 1; !refused; failures++) {
            HttpResponse<String> reply = null;
            IOException problem = null;
            try {
                reply = CLIENT.send(requestOf(call), HttpResponse.BodyHandlers.ofString());
            } catch (IOException error) {
                problem = error;
            }
            long pause = pauseAfter(call, reply, problem, failures);
            if (pause < 0) return;
            Thread.sleep(pause);
        }
    }

    private static CompletableFuture<Void> later(Call call, int failures) {
        if (refused) return CompletableFuture.completedFuture(null);
        return CLIENT.sendAsync(requestOf(call), HttpResponse.BodyHandlers.ofString())
            .handle((reply, error) -> {
                long pause = pauseAfter(call, reply, error, failures);
                if (pause < 0) return CompletableFuture.<Void>completedFuture(null);
                var delayed = CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS);
                return CompletableFuture.runAsync(() -> {}, delayed).thenCompose(nothing -> later(call, failures + 1));
            })
            .thenCompose(next -> next);
    }

    public static void main(String[] arguments) throws Exception {
        int atOnce = Integer.parseInt(arguments[0]);
        List<Call> calls = new ArrayList<>();
        for (String line : DAY.split("\n")) calls.add(new Call(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
        try {
            for (int start = 0; start < calls.size(); start += atOnce) {
                List<Call> group = calls.subList(start, Math.min(calls.size(), start + atOnce));
                if (atOnce == 1) now(group.get(0));
                else CompletableFuture.allOf(group.stream().map(call -> later(call, 1)).toArray(CompletableFuture[]::new)).join();
            }
        } catch (CompletionException error) {
            System.out.println(error.getMessage());
        }
    }

    private static final String DAY = """
        get-all-instructors {}
        get-all-live-events {}
        list-assignments {"courseIdentifier":{"type":"product-id","digitalProductId":"e14eab51f0b9dee5b286f9ec"}}
        list-assignments {"courseIdentifier":{"type":"product-id","digitalProductId":"f68b14464867fc055551e6ac"}}
        get-course-item-data {"courseItemId":"aba0ea4ed96bd4aae871b7ad"}
        get-course-item-data {"courseItemId":"7f74be9fba4aeffdf4bbc75c"}
        get-quiz-details {"quizId":"057ea992fc0a75d4ed8b54da"}
        get-quiz-details {"quizId":"9d5afed5df87086d04584dbf"}
        get-video-library {"filterTerm":"","pageNumber":1,"folderPath":"/"}
        get-video-library {"filterTerm":"","pageNumber":2,"folderPath":"/"}
        get-instructor-permission-presets {"pageNumber":1,"limit":4}
        get-instructor-permission-presets {"pageNumber":2,"limit":4}
        get-signed-url-data-for-live-event-session-playback {"liveEventSessionId":"9c5b7ed6df3621555e4a6e2e"}
        get-live-event-session-processed-mp4 {"liveEventSessionId":"9c5b7ed6df3621555e4a6e2e"}
        create-instructor-account {"instructorEmail":"ana@riverside-academy.example","instructorName":"Ana"}
        create-instructor-account {"instructorEmail":"ben@riverside-academy.example","instructorName":"Ben"}
        update-interactive-coding-lab {"labId":"26440e350ddc26b656f533f7","labTitle":"Word Frequency Counter"}
        submit-user-course-item {"courseItemId":"b4c48ca14f96ae384539bbdc","details":{"courseItemType":"Quiz","questionsToUpsert":[{"questionUniqueId":"9242442aab74062991dc8a2a","newSelectedOptionIds":["5401a18d222a47fb3287a7e8"]}]},"userId":"44832448d6d4614ecd817cf1","userEmail":"joao.ferraz@students.riverside-academy.example","shouldMarkAsCompleted":true}
        update-digital-product-coupon {"serviceCouponCodeId":"5bb6bf98e3b6a0f3c19b07c3","serviceDigitalProductId":"e14eab51f0b9dee5b286f9ec","couponTypeData":{"type":"percent-off","percentOff":25}}
        get-course-item-data {"courseItemId":"9c7e1b0f7abc83c607544846"}
        """;
}
