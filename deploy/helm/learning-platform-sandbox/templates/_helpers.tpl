{{- define "lp-sandbox.name" -}}
{{- .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of every object. DNS allows 63 characters; Kubernetes appends up to 17 of its own to the names of pods. */}}
{{- define "lp-sandbox.fullname" -}}
{{- $name := printf "%s-%s" .Release.Name .Chart.Name -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- $name = .Release.Name -}}
{{- end -}}
{{- .Values.fullnameOverride | default $name | trunc 46 | trimSuffix "-" -}}
{{- end -}}

{{/* The labels that never change: a Deployment cannot change its selector. */}}
{{- define "lp-sandbox.selector" -}}
app.kubernetes.io/name: {{ include "lp-sandbox.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lp-sandbox.labels" -}}
{{ include "lp-sandbox.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{/* The variable of each secret. */}}
{{- define "lp-sandbox.secretVariables" -}}
databaseUrl: SANDBOX_DATA
replicaSecret: SANDBOX_REPLICA_SECRET
controlToken: SANDBOX_CONTROL_TOKEN
tokenSecret: SANDBOX_TOKEN_SECRET
{{- end -}}

{{/* The environment of the server. The variables of flags are upper case. */}}
{{- define "lp-sandbox.environment" -}}
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: SANDBOX_HOST
  value: {{ ternary "::" "0.0.0.0" (eq .Values.ipFamily "IPv6") | quote }}
- name: SANDBOX_PORT
  value: "4010"
- name: SANDBOX_ADVERTISE
  value: {{ ternary "http://[$(POD_IP)]:4010" "http://$(POD_IP):4010" (eq .Values.ipFamily "IPv6") | quote }}
{{- $fullname := include "lp-sandbox.fullname" . }}
{{- $secrets := .Values.secrets }}
{{- range $name, $variable := include "lp-sandbox.secretVariables" . | fromYaml }}
{{- $secret := index $secrets $name }}
{{- if and $secret.value $secret.existingSecret }}
{{- fail (printf "secrets.%s has both a value and an existingSecret. Set only one of them." $name) }}
{{- end }}
{{- if or $secret.value $secret.existingSecret }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret.existingSecret | default $fullname }}
      key: {{ $secret.key }}
{{- else if ne $name "tokenSecret" }}
{{- fail (printf "secrets.%s is required. Set its value, or existingSecret to the name of a Secret that has the key %q." $name $secret.key) }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{- /* Helm reads numbers as floating-point numbers, which a template shows as 1e+06. */}}
{{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}
{{- $value = int64 $value }}
{{- end }}
- name: SANDBOX_{{ $name | upper | replace "-" "_" }}
  value: {{ $value | toString | replace "$(" "$$(" | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
