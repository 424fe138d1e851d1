@echo off
rem Solves the proof games of a file; without one those of problems.txt in this folder, or examples.
rem Put it beside umbrail.exe and double-click it, or drop a problem file on it.
cd /d "%~dp0"
umbrail.exe spg solve %*
pause
