@echo off
rem Opens a page in the browser: proof games, endgame tables, stenos, analysis. Ctrl-C or closing this window ends it.
rem Put it beside umbrail.exe and double-click it.
cd /d "%~dp0"
umbrail.exe serve %*
pause
