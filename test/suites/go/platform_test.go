// The 100 tests with Go's testing and net/http.
package platform

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

type element = map[string]any

type testCase struct {
	Test      string    `json:"test"`
	Operation string    `json:"operation"`
	Elements  []element `json:"elements"`
	Outcome   string    `json:"outcome"`
}

var (
	client   = &http.Client{Timeout: 20 * time.Second}
	key      = os.Getenv("SANDBOX_API_KEY")
	allCases = readCases()
)

func readCases() []testCase {
	text, err := os.ReadFile(os.Getenv("CASES"))
	if err != nil {
		panic(err)
	}
	var cases []testCase
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	return cases
}

// The elements of the tests whose names begin so.
func elementsOf(start string) []element {
	var found []element
	for _, one := range allCases {
		if strings.HasPrefix(one.Test, start) {
			found = append(found, one.Elements[0])
		}
	}
	return found
}

// Sends a batch. Returns whether all of it succeeded.
func call(t *testing.T, operation string, elements []element, query string) bool {
	batch := make([]element, 0, len(elements))
	for _, one := range elements {
		batch = append(batch, element{"data": one})
	}
	body, _ := json.Marshal(element{"data": batch})
	request, err := http.NewRequest("POST", os.Getenv("SANDBOX_URL")+"/public/"+operation+query, bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return false
	}
	request.Header.Set("SERVICE-API-KEY", key)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Sandbox-Scope", t.Name())
	response, err := client.Do(request)
	if err != nil {
		t.Error(err)
		return false
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode == 200 && !strings.Contains(string(text), `"status":"error"`)
}

func TestCases(t *testing.T) {
	for _, one := range allCases {
		t.Run(one.Test, func(t *testing.T) {
			if call(t, one.Operation, one.Elements, "") != (one.Outcome == "ok") {
				t.Fail()
			}
		})
	}
}

func TestAtOnce(t *testing.T) {
	quizzes, items := elementsOf("reads quiz "), elementsOf("reads course item ")
	atOnce := func(operation string, elements []element) func(*testing.T) {
		return func(t *testing.T) {
			var group sync.WaitGroup
			for _, one := range elements {
				group.Add(1)
				go func(one element) {
					defer group.Done()
					if !call(t, operation, []element{one}, "") {
						t.Fail()
					}
				}(one)
			}
			group.Wait()
		}
	}
	t.Run("six", atOnce("get-quiz-details", quizzes[:6]))
	t.Run("seven", atOnce("get-quiz-details", quizzes))
	t.Run("twelve", atOnce("get-course-item-data", items[:12]))
}

func TestPlantedMisspellsAPath(t *testing.T) {
	if call(t, "get-quiz-detials", []element{{}}, "") {
		t.Fail()
	}
}

func TestPlantedSendsAFieldThatIsNotDocumented(t *testing.T) {
	item := elementsOf("reads course item ")[0]
	call(t, "get-course-item-data", []element{{"courseItemId": item["courseItemId"], "traceId": "a-17"}}, "")
}

func TestPlantedSendsTheKeyInTheQuery(t *testing.T) {
	call(t, "get-all-instructors", []element{{}}, "?key="+key)
}

func TestPlantedSubmitsTwice(t *testing.T) {
	submissions := elementsOf("submits the answers of ")[:2]
	for _, submission := range append(submissions, submissions...) {
		call(t, "submit-user-course-item", []element{submission}, "")
	}
}

func TestPlantedSendsANumberAsText(t *testing.T) {
	call(t, "get-instructor-permission-presets", []element{{"pageNumber": "1", "limit": 4}}, "")
}
