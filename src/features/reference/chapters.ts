// The chapters and endpoints of the OpenAPI document, for the pages that display it.
import { GENERAL } from "../../contract/shapes/refusals.ts";
import type { openapiOf } from "../../server/openapi.ts";
import type {
  DescribedParameter,
  Operation as Documented,
  Schema,
} from "../../server/openapi-schemas.ts";
import type { Operation } from "./samples.ts";

export interface Chapter {
  readonly name: string;
  readonly slug: string;
  readonly operations: readonly DescribedOperation[];
}

export interface DescribedOperation extends Operation {
  readonly id: string;
  readonly summary: string;
  readonly fields: readonly Field[];
  /** An example response as formatted JSON. */
  readonly answer: string | undefined;
  /** The error codes specific to the endpoint. */
  readonly refusals: readonly string[];
}

export interface Field {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly isNeeded: boolean;
}

type Document = ReturnType<typeof openapiOf>;

const API = "/api/v1/";

export function chaptersOf({ paths }: Document): Chapter[] {
  const all = Object.entries(paths)
    .filter(([path]) => path.startsWith(API))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: operation.tags[0]!,
        operation: described(method.toUpperCase(), path, operation),
      })),
    );
  return [...Map.groupBy(all, ({ name }) => name)].map(([name, fields]) => ({
    name,
    slug: name.toLowerCase().replaceAll(" ", "-"),
    operations: fields.map(({ operation }) => operation),
  }));
}

function described(method: string, path: string, operation: Documented): DescribedOperation {
  const { parameters, requestBody, responses, security } = operation;
  const form = requestBody?.content["application/x-www-form-urlencoded"];
  const inForm = Object.entries(form?.schema?.properties ?? {}).map(([name, field]) => ({
    ...{ name, where: "form" as const, description: String(field["description"]), schema: field },
    isNeeded: form!.schema!.required?.includes(name) ?? false,
    isJson: name in form!.encoding!,
    example: (field["examples"] as unknown[])[0],
  }));
  const all = [...parameters.map(inAddress), ...inForm];
  const content = responses["200"].content["application/json"];
  const codes = responses["4XX"].content["application/json"]?.schema?.anyOf ?? [];
  return {
    id: operation.operationId,
    summary: operation.summary,
    ...{ method, path },
    isOpen: security.some((scheme) => Object.keys(scheme).length === 0),
    isUpload: requestBody !== undefined && form === undefined && method === "POST",
    fields: all.map(({ schema, isJson, ...field }) => ({ ...field, kind: kindOf(schema, isJson) })),
    requiredInputs: all
      .filter(({ isNeeded }) => isNeeded)
      .map(({ name, where, isJson, example }) => ({
        ...{ name, where },
        text: isJson || typeof example !== "string" ? JSON.stringify(example) : example,
      })),
    answer: content && JSON.stringify(content.example, null, 2),
    refusals: codes.slice(GENERAL.length).map(({ $ref }) => $ref!.split("Refusal_")[1]!),
  };
}

function inAddress(parameter: DescribedParameter) {
  const json = parameter.content?.["application/json"];
  return {
    name: parameter.name,
    where: parameter.in,
    description: parameter.description,
    isNeeded: parameter.required,
    isJson: json !== undefined,
    schema: json?.schema ?? parameter.schema ?? {},
    example: json?.example ?? parameter.example,
  };
}

function kindOf({ type, enum: values, anyOf }: Schema, isJson: boolean): string {
  if (values) return values.map(String).join(" | ");
  const kind = type ?? anyOf?.map((form) => form.type ?? "object").join(" or ") ?? "anything";
  return isJson ? `${String(kind)}, as JSON` : String(kind);
}
