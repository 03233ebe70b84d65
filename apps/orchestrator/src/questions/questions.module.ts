import { Module } from '@nestjs/common';
import { AnswerQuestionHandler } from './answer-question.handler.js';
import { QuestionsController } from './questions.controller.js';

@Module({ controllers: [QuestionsController], providers: [AnswerQuestionHandler] })
export class QuestionsModule {}
