import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { KeyScope } from '#platform';
import { openKey, scopeKey, wholeServerKey } from '../auth/require-scope.js';

/** A route as its handler declares it. */
export interface DeclaredRoute {
  /** `GET /v1/agents/:id`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly scope: KeyScope | undefined;
  readonly needsNoKey: boolean;
  readonly isWholeServer: boolean;
}

/** Every handler of every controller, with what the guard will ask of it. */
export function declaredRoutes(app: NestFastifyApplication): readonly DeclaredRoute[] {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => (metatype === null ? [] : routesOf(metatype)));
}

type Handlers = Readonly<Record<string, unknown>>;

function routesOf(controller: { readonly prototype: unknown }): readonly DeclaredRoute[] {
  const handlers = controller.prototype as Handlers;
  return Object.getOwnPropertyNames(handlers)
    .map((name) => handlers[name])
    .filter((handler) => typeof handler === 'function')
    .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler))
    .map((handler) => routeOf(controller, handler));
}

function routeOf(controller: object, handler: object): DeclaredRoute {
  const declared = (key: string): unknown =>
    Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  const method = RequestMethod[Number(Reflect.getMetadata(METHOD_METADATA, handler))] ?? '';
  const parts = [controller, handler].map((target) =>
    String(Reflect.getMetadata(PATH_METADATA, target) ?? ''),
  );
  const path = `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
  return {
    name: `${method} ${path}`,
    method,
    path,
    scope: declared(scopeKey) as KeyScope | undefined,
    needsNoKey: declared(openKey) === true,
    isWholeServer: declared(wholeServerKey) === true,
  };
}
