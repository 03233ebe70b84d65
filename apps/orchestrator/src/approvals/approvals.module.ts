import { Module } from '@nestjs/common';
import { ApprovalsController } from './approvals.controller.js';
import { ResolveApprovalHandler } from './resolve-approval.handler.js';

@Module({ controllers: [ApprovalsController], providers: [ResolveApprovalHandler] })
export class ApprovalsModule {}
