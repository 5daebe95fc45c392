// Renders a Helm chart as Helm does: with Go's templates, the functions of Sprig, and those that Helm adds to them.
// Reads the folder of the chart and the releases as JSON. Writes the rendered files of each release, or its error.
package main

import (
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type input struct {
	Chart    string
	Releases []release
}

type release struct {
	Name      string
	Namespace string
	Values    map[string]interface{}
}

type output struct {
	Files map[string]string `json:"files"`
	Error string            `json:"error"`
}

// A template that names a field that Helm does not have must fail here, too.
type metadata struct {
	APIVersion  string `json:"apiVersion"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Type        string `json:"type"`
	Version     string `json:"version"`
	AppVersion  string `json:"appVersion"`
	KubeVersion string `json:"kubeVersion"`
}

type kubeVersion struct{ Version, Major, Minor string }

func main() {
	var asked input
	exitOn(json.NewDecoder(os.Stdin).Decode(&asked))
	text, err := os.ReadFile(filepath.Join(asked.Chart, "Chart.yaml"))
	exitOn(err)
	var chart metadata
	exitOn(yaml.Unmarshal(text, &chart))
	templates, err := read(asked.Chart, chart.Name)
	exitOn(err)
	outputs := []output{}
	for _, one := range asked.Releases {
		files, err := render(chart, templates, one)
		if err != nil {
			outputs = append(outputs, output{Error: err.Error()})
		} else {
			outputs = append(outputs, output{Files: files})
		}
	}
	exitOn(json.NewEncoder(os.Stdout).Encode(outputs))
}

func exitOn(err error) {
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

func read(folder string, chart string) (map[string]string, error) {
	templates := map[string]string{}
	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return nil, err
	}
	for _, one := range paths {
		text, err := os.ReadFile(one)
		if err != nil {
			return nil, err
		}
		templates[path.Join(chart, "templates", filepath.Base(one))] = string(text)
	}
	return templates, nil
}

func render(chart metadata, templates map[string]string, one release) (map[string]string, error) {
	all := template.New("all").Option("missingkey=zero")
	all.Funcs(functions(all))
	for name, text := range templates {
		if _, err := all.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	scope := map[string]interface{}{
		"Chart":  chart,
		"Values": one.Values,
		"Release": map[string]interface{}{
			"Name": one.Name, "Namespace": one.Namespace, "Service": "Helm",
			"Revision": 1, "IsInstall": true, "IsUpgrade": false,
		},
		"Capabilities": map[string]interface{}{"KubeVersion": kubeVersion{"v1.31.0", "1", "31"}},
	}
	files := map[string]string{}
	for name := range templates {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		scope["Template"] = map[string]interface{}{"Name": name, "BasePath": path.Join(chart.Name, "templates")}
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, name, scope); err != nil {
			return nil, err
		}
		files[path.Base(name)] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return files, nil
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	execute := func(of *template.Template, name string, scope interface{}) (string, error) {
		var text strings.Builder
		err := of.ExecuteTemplate(&text, name, scope)
		return text.String(), err
	}
	known["include"] = func(name string, scope interface{}) (string, error) {
		return execute(all, name, scope)
	}
	known["tpl"] = func(text string, scope interface{}) (string, error) {
		copied, err := all.Clone()
		if err != nil {
			return "", err
		}
		if _, err := copied.New("tpl").Parse(text); err != nil {
			return "", err
		}
		return execute(copied, "tpl", scope)
	}
	known["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	// As in Helm, a value that cannot be converted gives nothing, or the reason in the field Error.
	known["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	known["fromYaml"] = func(text string) map[string]interface{} {
		value := map[string]interface{}{}
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			value["Error"] = err.Error()
		}
		return value
	}
	return known
}
