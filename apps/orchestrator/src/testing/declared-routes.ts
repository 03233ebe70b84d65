import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { KeyScope } from '#platform';
import { accessOf } from '../auth/route-access.js';

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

/** Every handler of every controller, with what will be asked of a request to it. */
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
  const method = RequestMethod[Number(Reflect.getMetadata(METHOD_METADATA, handler))] ?? '';
  const parts = [controller, handler].map((target) =>
    String(Reflect.getMetadata(PATH_METADATA, target) ?? ''),
  );
  const path = `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
  const { scope, needsNoKey = false, isWholeServer = false } = accessOf(handler);
  return { name: `${method} ${path}`, method, path, scope, needsNoKey, isWholeServer };
}
