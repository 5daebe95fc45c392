// A client with Go's net/http: so many goroutines, with the DefaultClient or one of its own.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type call struct {
	operation string
	elements  []map[string]any
}

type failure struct {
	message    string
	mayBeDone  bool
	isFinal    bool
	retryAfter time.Duration
}

func (f failure) Error() string { return f.message }

var (
	client  = http.DefaultClient
	refused atomic.Bool
)

func send(c call) ([]map[string]any, error) {
	type element struct {
		Data map[string]any `json:"data"`
	}
	var body struct {
		Data []element `json:"data"`
	}
	for _, data := range c.elements {
		body.Data = append(body.Data, element{data})
	}
	text, _ := json.Marshal(body)
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	request, _ := http.NewRequestWithContext(ctx, "POST", os.Getenv("SANDBOX_URL")+"/public/"+c.operation, bytes.NewReader(text))
	request.Header.Set("SERVICE-API-KEY", os.Getenv("SANDBOX_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	// Go sends a request again itself if a kept connection turns out to be closed. Not with a body that it cannot read again.
	if c.operation == "submit-user-course-item" {
		request.GetBody = nil
	}
	reply, err := client.Do(request)
	if err != nil {
		return nil, failure{message: err.Error(), mayBeDone: true}
	}
	defer reply.Body.Close()
	read, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil, failure{message: err.Error(), mayBeDone: true}
	}
	switch {
	case reply.StatusCode == 401 || reply.StatusCode == 403:
		refused.Store(true)
		return nil, failure{message: "the key is refused", isFinal: true}
	case reply.StatusCode == 429 || reply.StatusCode == 503:
		seconds, _ := strconv.Atoi(reply.Header.Get("Retry-After"))
		return nil, failure{message: reply.Status, retryAfter: time.Duration(seconds) * time.Second}
	case reply.StatusCode >= 500 || reply.StatusCode == 408:
		return nil, failure{message: reply.Status, mayBeDone: true}
	case reply.StatusCode >= 400:
		return nil, failure{message: reply.Status, isFinal: true}
	}
	var items []struct {
		Output map[string]any `json:"output"`
	}
	if err := json.Unmarshal(read, &items); err != nil {
		return nil, failure{message: err.Error(), mayBeDone: true}
	}
	outputs := make([]map[string]any, len(c.elements))
	for index := range outputs {
		if index < len(items) {
			outputs[index] = items[index].Output
		}
	}
	return outputs, nil
}

func patiently(c call) ([]map[string]any, error) {
	for failures := 1; ; failures++ {
		outputs, err := send(c)
		var failed failure
		if !errors.As(err, &failed) {
			return outputs, err
		}
		if failed.isFinal || failures == 6 || (failed.mayBeDone && c.operation == "submit-user-course-item") {
			return nil, err
		}
		pause := time.Duration(float64(500*time.Millisecond) * float64(int(1)<<failures) * (0.5 + rand.Float64()/2))
		if failed.retryAfter > 0 {
			pause = failed.retryAfter + time.Duration(rand.Float64()*float64(time.Second))
		}
		time.Sleep(pause)
	}
}

// complete sends a batch, and once more those of its elements that failed.
func complete(c call) error {
	outputs, err := patiently(c)
	if err != nil {
		return err
	}
	var failed []map[string]any
	for index, output := range outputs {
		isLost := output == nil && c.operation != "submit-user-course-item"
		if isLost || output["status"] == "error" {
			failed = append(failed, c.elements[index])
		}
	}
	if len(failed) == 0 {
		return nil
	}
	time.Sleep(time.Second + time.Duration(rand.Float64()*float64(time.Second)))
	_, err = patiently(call{c.operation, failed})
	return err
}

func calls() []call {
	const quiz = `{"courseItemId":"b4c48ca14f96ae384539bbdc","details":{"courseItemType":"Quiz","questionsToUpsert":[{"questionUniqueId":"9242442aab74062991dc8a2a","newSelectedOptionIds":["5401a18d222a47fb3287a7e8"]}]},"shouldMarkAsCompleted":true,`
	lines := `get-all-instructors [{}]
get-all-live-events [{}]
list-assignments [{"courseIdentifier":{"type":"product-id","digitalProductId":"e14eab51f0b9dee5b286f9ec"}}]
list-assignments [{"courseIdentifier":{"type":"product-id","digitalProductId":"f68b14464867fc055551e6ac"}}]
get-course-item-data [{"courseItemId":"aba0ea4ed96bd4aae871b7ad"},{"courseItemId":"7f74be9fba4aeffdf4bbc75c"},{"courseItemId":"03dea7117bfddc18cabc002f"}]
get-course-item-data [{"courseItemId":"972a893d537d9bc50fd4c451"}]
get-quiz-details [{"quizId":"057ea992fc0a75d4ed8b54da"},{"quizId":"9d5afed5df87086d04584dbf"}]
get-quiz-details [{"quizId":"38ed6bd0e32a023bfa47e00b"}]
get-video-library [{"filterTerm":"","pageNumber":1,"folderPath":"/"}]
get-video-library [{"filterTerm":"","pageNumber":2,"folderPath":"/"}]
get-video-library [{"filterTerm":"","pageNumber":3,"folderPath":"/"}]
get-instructor-permission-presets [{"pageNumber":1,"limit":4}]
get-instructor-permission-presets [{"pageNumber":2,"limit":4}]
get-signed-url-data-for-live-event-session-playback [{"liveEventSessionId":"9c5b7ed6df3621555e4a6e2e"}]
get-live-event-session-processed-mp4 [{"liveEventSessionId":"9c5b7ed6df3621555e4a6e2e"}]
create-instructor-account [{"instructorEmail":"ana@riverside-academy.example","instructorName":"Ana"},{"instructorEmail":"ben@riverside-academy.example","instructorName":"Ben"}]
create-instructor-account [{"instructorEmail":"chi@riverside-academy.example","instructorName":"Chi"}]
update-interactive-coding-lab [{"labId":"26440e350ddc26b656f533f7","labTitle":"Word Frequency Counter"}]
submit-user-course-item [` + quiz + `"userId":"44832448d6d4614ecd817cf1","userEmail":"joao.ferraz@students.riverside-academy.example"}]
submit-user-course-item [` + quiz + `"userId":"90f6bbdc2d4cf5a2971ef1d7","userEmail":"grace.amissah@students.riverside-academy.example"}]
get-course-item-data [{"courseItemId":"9c7e1b0f7abc83c607544846"}]`
	var all []call
	for _, line := range strings.Split(lines, "\n") {
		operation, text, _ := strings.Cut(line, " ")
		one := call{operation: operation}
		if err := json.Unmarshal([]byte(text), &one.elements); err != nil {
			panic(err)
		}
		all = append(all, one)
	}
	return all
}

func main() {
	workers, _ := strconv.Atoi(os.Args[1])
	switch os.Args[2] {
	case "timeout":
		client = &http.Client{Timeout: 20 * time.Second}
	case "kept":
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = workers
		client = &http.Client{Transport: transport}
	}
	seed, _ := strconv.ParseInt(os.Getenv("SANDBOX_SEED"), 10, 64)
	rand.Seed(seed)
	queue := make(chan call)
	var group sync.WaitGroup
	for worker := 0; worker < workers; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for c := range queue {
				if refused.Load() {
					continue
				}
				if err := complete(c); err != nil {
					fmt.Println(c.operation, err)
				}
			}
		}()
	}
	for _, c := range calls() {
		queue <- c
	}
	close(queue)
	group.Wait()
}
